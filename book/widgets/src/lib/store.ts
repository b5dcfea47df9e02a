/** What a learner has done, kept in this browser. Where storage is refused, it lasts as long as the page. */
export class Store<T> {
  private readonly key: string;

  constructor(kind: string, name: string) {
    this.key = `statistics-for-evals/${kind}/${name}`;
  }

  load(fallback: T): T {
    try {
      const text = localStorage.getItem(this.key);
      return text === null ? fallback : (JSON.parse(text) as T);
    } catch {
      return fallback;
    }
  }

  save(value: T): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(value));
    } catch {
      // Private windows and full disks refuse; the page still works, it only forgets.
    }
  }

  clear(): void {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // As above.
    }
  }
}
