import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Engine, describeEngines } from '@lyceum/testkit';
import { compiledFirst, fewKills, patience, survived } from './survived.ts';

compiledFirst();

const fresh = (): string => `kill_${randomUUID().slice(0, 8)}`;
/** One broker is enough for what does not depend on its version. */
const isNewest = ({ version }: Engine): boolean => !version.startsWith('3.');

for (const kind of ['mongodb', 'mongodb-indexed'] as const)
  await describeEngines(kind, (engine) => {
    test(
      'C20: killed around any write of log or documents: nothing is lost or doubled, documents and checkpoint move together',
      async () => {
        const { url } = await engine.shared();
        const { usedAs } = engine;
        const servers = () => ({ mongodb: { url, prefix: `${fresh()}_`, ...(usedAs && { usedAs }) } });
        const { commits } = await survived('C20', 90, { kills: fewKills * 2, servers });
        expect(commits).toBeGreaterThan(0);
      },
      patience,
    );
  });

await describeEngines(
  'kafka',
  (engine) => {
    async function around(point: 'C21' | 'C22' | 'C23', passages: number, kills: number): Promise<void> {
      const brokers = (await engine.shared()).url.split(',');
      const mode = point === 'C23' ? 'shared' : 'each';
      await survived(point, passages, { kills, servers: () => ({ kafka: { brokers, prefix: `${fresh()}.`, mode } }) });
    }
    test(
      'C21: killed around what is sent: sent again, and the watermark drops what had come',
      () => around('C21', 20, fewKills),
      patience,
    );
    test(
      'C22: killed before or after a batch is handed on: each consumer has applied each fact once and in order',
      () => around('C22', 12, fewKills),
      patience,
    );
    test(
      'C23: killed around saying what is handled: the owner is the truth, so nothing is skipped by it',
      () => around('C23', 3, 2),
      patience,
    );
  },
  isNewest,
);
