# Reference values from R for power.py: the noncentral t from the package pwr; McNemar's tests by visiting all outcomes at
# the required sizes and one item below; Tango's restricted variance by maximising the likelihood numerically.
#
#   Rscript tests/reference/power.R > tests/reference/power.json

library(pwr)

t_power <- function(n, d, alpha) pwr.t.test(n = n, d = d, sig.level = alpha, type = "one.sample")$power
t_effect <- function(n, alpha, power) pwr.t.test(n = n, sig.level = alpha, power = power, type = "one.sample")$d

mcnemar_power <- function(n, delta, psi, alpha = 0.05) {
  a_wins <- (psi + delta) / (2 * psi)
  hit <- c(exact = 0, midp = 0, corrected = 0)
  for (d in 1:n) {
    b <- 0:d
    weight <- dbinom(d, n, psi) * dbinom(b, d, a_wins)
    fewer <- pmin(b, d - b)
    exact <- pmin(1, 2 * pbinom(fewer, d, 0.5))
    midp <- ifelse(2 * b == d, 1, 2 * pbinom(fewer - 1, d, 0.5) + dbinom(fewer, d, 0.5))
    corrected <- pchisq(pmax(abs(2 * b - d) - 1, 0)^2 / d, 1, lower.tail = FALSE)
    hit <- hit + c(sum(weight[exact <= alpha]), sum(weight[midp <= alpha]), sum(weight[corrected <= alpha]))
  }
  unname(hit)
}

# Shares of "only A right" and "only B right" under P(A only) - P(B only) = -margin, likeliest for the shares seen.
restricted_sd <- function(margin, psi, delta) {
  a_only <- (psi + delta) / 2
  b_only <- (psi - delta) / 2
  likelihood <- function(q) a_only * log(q - margin) + b_only * log(q) + (1 - psi) * log(1 - 2 * q + margin)
  q <- optimize(likelihood, c(margin + 1e-12, (1 + margin) / 2 - 1e-12), maximum = TRUE, tol = 1e-12)$maximum
  sqrt(2 * q - margin - margin^2)
}

noninferiority_n <- function(margin, psi, delta, alpha = 0.025, power = 0.8) {
  reach <- qnorm(1 - alpha) * restricted_sd(margin, psi, delta) + qnorm(power) * sqrt(psi - delta^2)
  (reach / (delta + margin))^2
}

equivalence_power <- function(n, margin, psi, delta, alpha = 0.05) {
  side <- function(d) {
    pnorm((sqrt(n) * (d + margin) - qnorm(1 - alpha) * restricted_sd(margin, psi, d)) / sqrt(psi - d^2))
  }
  max(0, side(delta) + side(-delta) - 1)
}

numbers <- function(x) paste0("[", paste(sprintf("%.10g", x), collapse = ", "), "]")
rows <- function(name, ...) sprintf("  \"%s\": [%s]", name, paste(sapply(list(...), numbers), collapse = ", "))

cat("{\n")
cat(sprintf("  \"made_with\": \"%s, pwr %s\",\n", R.version.string, packageVersion("pwr")))
cat(paste(
  rows("t_power", # n, effect in standard deviations, alpha, power
    c(12, 0.8, 0.01, t_power(12, 0.8, 0.01)), c(50, 0.3, 0.05, t_power(50, 0.3, 0.05)),
    c(1368, 0.02 / 0.264, 0.05, t_power(1368, 0.02 / 0.264, 0.05))),
  rows("t_effect", # n, alpha, power, effect
    c(20, 0.05, 0.8, t_effect(20, 0.05, 0.8)), c(1000, 0.05, 0.8, t_effect(1000, 0.05, 0.8)),
    c(80, 0.01, 0.9, t_effect(80, 0.01, 0.9))),
  rows("mcnemar", # n, delta, psi, power of exact, mid-p, corrected
    c(206, 0.10, 0.25, mcnemar_power(206, 0.10, 0.25)), c(207, 0.10, 0.25, mcnemar_power(207, 0.10, 0.25)),
    c(189, 0.10, 0.25, mcnemar_power(189, 0.10, 0.25)), c(190, 0.10, 0.25, mcnemar_power(190, 0.10, 0.25)),
    c(208, 0.10, 0.25, mcnemar_power(208, 0.10, 0.25)), c(817, 0.05, 0.25, mcnemar_power(817, 0.05, 0.25))),
  rows("noninferiority", # margin, psi, delta, n
    c(0.02, 0.07, 0, noninferiority_n(0.02, 0.07, 0)), c(0.02, 0.07, 0.01, noninferiority_n(0.02, 0.07, 0.01)),
    c(0.1, 0.3, -0.02, noninferiority_n(0.1, 0.3, -0.02))),
  rows("equivalence", # n, margin, psi, delta, power
    c(1553, 0.02, 0.07, 0, equivalence_power(1553, 0.02, 0.07, 0)),
    c(1554, 0.02, 0.07, 0, equivalence_power(1554, 0.02, 0.07, 0)),
    c(400, 0.1, 0.3, 0.03, equivalence_power(400, 0.1, 0.3, 0.03))),
  sep = ",\n"
), "\n}\n", sep = "")
