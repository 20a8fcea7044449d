import { expect, test } from '@jest/globals';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { systemClock } from '@lyceum/kernel';
import { setImmediate as turn } from 'node:timers/promises';
import { logSignals } from './log-signals.ts';

test('what is told of one log is heard by its listeners, and what else somebody writes there is not', async () => {
  const memory = memoryEphemeral(systemClock);
  /** Like the one of Redis it is an object of which methods cannot be taken. */
  const store = {
    memory,
    signal(...told: Parameters<typeof memory.signal>) {
      this.memory.signal(...told);
    },
    listen(...asked: Parameters<typeof memory.listen>) {
      return this.memory.listen(...asked);
    },
  };
  const [catalog, school] = [logSignals(store, 'lyceum_catalog'), logSignals(store, 'lyceum_school')];
  const heard: (readonly [number, number])[] = [];
  const hearing = catalog.listen((...grown) => heard.push(grown));
  expect(hearing.isConnected).toBe(true);
  catalog.tell(3, 17);
  school.tell(3, 18);
  for (const text of ['', '3', '3 ', '3 x', ' 3 17', '3 17 ', '-1 2', '3 1e9', '9999 1', `1 ${'9'.repeat(40)}`])
    store.signal('log.lyceum_catalog', text);
  await turn();
  expect(heard).toEqual([[3, 17]]);
  hearing.close();
  catalog.tell(3, 19);
  await turn();
  expect(heard).toHaveLength(1);
});
