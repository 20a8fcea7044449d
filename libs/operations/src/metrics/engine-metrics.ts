import type { Metrics } from './metrics.ts';

/** An engine that this process works with, by its name in the semantic conventions (`db.system.name`, `messaging.system`). */
export interface ReachableEngine {
  readonly system: 'mongodb' | 'kafka' | 'redis';
  /** Resolves when the engine answers and lets the process in; rejects when it does not. */
  reach(): Promise<unknown>;
}

/** Milliseconds until an engine counts as away: whoever reads metrics gives up after ten seconds. */
const patience = 3_000;

/**
 * Asks each engine, whenever the metrics are read, whether it answers this process. While an answer is outstanding no
 * second question is sent, so an engine that hangs costs one connection. Without engines the gauge has no samples.
 */
export function observeEngines(metrics: Metrics, engines: readonly ReachableEngine[]): void {
  const up = metrics.gauge('lyceum_engine_up', '1 while the engine answers this process, 0 while not', ['system']);
  const asked = new Map<ReachableEngine, Promise<boolean>>();
  const ask = (engine: ReachableEngine): Promise<boolean> => {
    const outstanding = asked.get(engine);
    if (outstanding) return outstanding;
    const answer = engine
      .reach()
      .then(
        () => true,
        () => false,
      )
      .finally(() => asked.delete(engine));
    asked.set(engine, answer);
    return answer;
  };
  metrics.beforeReading(async () => {
    await Promise.all(engines.map(async (engine) => up.labels(engine.system).set((await inTime(ask(engine))) ? 1 : 0)));
  });
}

async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => void (timer = setTimeout(resolve, patience, false)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
