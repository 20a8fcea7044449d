import type { Ephemeral } from '@lyceum/ephemeral';
import type { LogSignals } from '@lyceum/eventlog';

const grown = /^(\d{1,3}) (\d{1,15})$/;

/** Signals that a log in a database grew, as texts `<lane> <position>`. Other texts are somebody else's, and not heard. */
export function logSignals(store: Pick<Ephemeral, 'signal' | 'listen'>, database: string): LogSignals {
  const topic = `log.${database}`;
  return {
    tell: (lane, position) => store.signal(topic, `${lane} ${position}`),
    listen: (heard) =>
      store.listen(topic, (text) => {
        const [, lane, position] = grown.exec(text) ?? [];
        if (lane !== undefined) heard(Number(lane), Number(position));
      }),
  };
}
