/**
 * Work that is cheaper for many at once: what is asked for in one turn of the event loop is given to `work` together,
 * which answers in the same order. When it throws, all of them fail.
 */
export function together<Asked, Answer>(
  work: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  interface Waiting {
    readonly asked: Asked;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  const begin = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    try {
      const answers = await work(taken.map(({ asked }) => asked));
      for (const [index, { resolve }] of taken.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ asked, resolve, reject }) === 1) setImmediate(() => void begin());
    });
}
