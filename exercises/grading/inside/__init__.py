"""What runs inside the sandbox: the standard library and numpy are all that may be imported here.

No file of ours is in the sandbox. `sandbox` sends these modules down the pipe, compiled, before anything else.
"""
