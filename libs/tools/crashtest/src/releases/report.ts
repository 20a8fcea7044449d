/** Characters of a fault that are told; the rest is in the logs. */
const longest = 1_000;

/** What a run of two releases found, told while it goes on. */
export class Report {
  /** What must not be. */
  readonly faults: string[] = [];
  /** How often something happened that clients bear, by what it was. */
  readonly counts = new Map<string, number>();
  #stage = '';

  /** A part of the run begins. */
  stage(name: string): void {
    this.#stage = name;
    this.say(name);
  }

  say(text: string): void {
    process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
  }

  fault(told: string): void {
    const text = told.length > longest ? `${told.slice(0, longest)} …` : told;
    this.faults.push(`${this.#stage}: ${text}`);
    this.say(`  FAULT ${text}`);
  }

  count(what: string): void {
    const key = `${this.#stage}: ${what}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}
