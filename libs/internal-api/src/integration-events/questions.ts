/** Questions to one peer that are under way at a time. */
const mostAtOnce = 4;

interface Waiting<Answer> {
  readonly send: () => Promise<Answer>;
  readonly answer: Promise<Answer>;
  readonly settle: { resolve(answer: Answer): void; reject(error: unknown): void };
}

/**
 * Has a peer asked few questions at a time. Others wait for their turn; who asks what waits already gets the same answer,
 * which is read after both have asked. After a start every consumer of a process asks for every lane at once: a peer that
 * starts as well would be busy with questions that nobody waits for any more.
 */
export class Questions {
  readonly #waiting = new Map<string, Waiting<unknown>>();
  #underWay = 0;

  /** The answer to a question, by its text. `send` asks it. Answers are shared: nobody may change them. */
  ask<Answer>(text: string, send: () => Promise<Answer>): Promise<Answer> {
    const known = this.#waiting.get(text);
    if (known) return known.answer as Promise<Answer>;
    let settle: Waiting<Answer>['settle'];
    const answer = new Promise<Answer>((resolve, reject) => (settle = { resolve, reject }));
    this.#waiting.set(text, { send, answer, settle: settle! } as Waiting<unknown>);
    // Whoever asks the same in this turn of the event loop gets this answer.
    setImmediate(() => this.#next());
    return answer;
  }

  #next(): void {
    for (const [text, { send, settle }] of this.#waiting) {
      if (this.#underWay >= mostAtOnce) return;
      this.#waiting.delete(text);
      this.#underWay += 1;
      void send()
        .then(settle.resolve, settle.reject)
        .finally(() => {
          this.#underWay -= 1;
          this.#next();
        });
    }
  }
}
