import { availability } from './availability.ts';
import type { Engine, EngineKind } from './backing-server.ts';

/**
 * Defines a suite once for each engine of a kind, with the engine as its title; with none, one skipped suite whose
 * title tells why. To be awaited at the top level of a test file. `wanted` narrows the engines, e.g. to those whose
 * servers can be killed: `({ origin }) => origin !== 'given'`.
 */
export async function describeEngines(
  kind: EngineKind,
  define: (engine: Engine) => void,
  wanted: (engine: Engine) => boolean = () => true,
): Promise<void> {
  // Not at the top: this package also serves programs that run outside of Jest.
  const { describe, test } = await import('@jest/globals');
  const { engines, reason } = await availability(kind);
  const chosen = engines.filter(wanted);
  if (chosen.length > 0) describe.each([...chosen])('$title', define);
  else describe.skip(reason || `no engine for ${kind} of the sort that is needed`, () => test('is not run', () => {}));
}
