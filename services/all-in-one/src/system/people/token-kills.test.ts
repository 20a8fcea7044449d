import { describe, expect, test } from '@jest/globals';
import { Client, Person, type System, describeEngines, startSystem } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Refresher,
  TokenAnswers,
  type Waiting,
  approvedCodes,
  redeemed,
} from '../../testing/operating/token-callers.ts';

/** Kills of each kind in a run; CI does 4. */
const kills = Number(process.env['TOKEN_KILLS'] ?? 2);
const [refreshers, codes] = [6, 4];

/** Restarts may take a while on a busy machine: a retry then is still inside the grace. */
const env = { REFRESH_GRACE_SECONDS: '300', RATE_LIMIT_FACTOR: '999999' };

interface Outcome {
  readonly answers: TokenAnswers;
  /** Answers while the server lived that were not tokens. */
  readonly odd: string[];
  /** Retries after a restart that got no tokens. */
  readonly lost: string[];
  /** What codes were answered that were sent again after a restart. */
  readonly again: string[];
  readonly codes: Waiting[];
}

/** Sends codes and refresh tokens until the server dies at a random moment, starts it again and repeats what was asked. */
async function dieAndRepeat(settings: Readonly<Record<string, string>>): Promise<Outcome> {
  let system: System = await startSystem({ env: { ...env, ...settings } });
  const restart = () => startSystem({ dataDir: system.dataDir, port: system.port, env: { ...env, ...settings } });
  const client = await Client.register(system.baseUrl);
  const outcome: Outcome = { answers: new TokenAnswers(), odd: [], lost: [], again: [], codes: [] };
  const { answers } = outcome;
  const person = new Person();
  const chains: Refresher[] = [];
  for (const each of await approvedCodes(client, person, system.password, refreshers))
    chains.push(new Refresher(client, (await redeemed(client, each, answers))!.body.refresh_token as string, answers));
  for (let round = 0; round < kills; round += 1) {
    const waiting = await approvedCodes(client, person, system.password, codes);
    outcome.codes.push(...waiting);
    const refreshing = chains.map((each) => each.untilDeath());
    const redeeming = waiting.map(async (each) => {
      await sleep(Math.random() * 120);
      return redeemed(client, each, answers);
    });
    await sleep(10 + Math.random() * 150);
    await system.kill();
    outcome.odd.push(...(await Promise.all(refreshing)).flat());
    await Promise.all(redeeming);
    system = await restart();
    outcome.lost.push(...(await Promise.all(chains.map((each) => each.again()))).flat());
    for (const each of waiting) {
      const answer = await redeemed(client, each, answers);
      outcome.again.push(answer ? `${answer.status} ${answer.body.error ?? ''}`.trim() : 'no answer');
    }
  }
  await system.stop();
  return outcome;
}

function judge({ answers, odd, lost, again, codes: sent }: Outcome): void {
  expect(answers.forked()).toEqual([]);
  expect(answers.size).toBeGreaterThan(refreshers + kills);
  expect(odd).toEqual([]);
  expect(lost).toEqual([]);
  expect(again.filter((answer) => answer !== '200' && answer !== '400 invalid_grant')).toEqual([]);
  expect(sent.filter(({ code }) => answers.count(code) > 1)).toEqual([]);
}

const patience = 180_000 + kills * 60_000;

describe('kill -9 of the token endpoint', () => {
  test(
    `RFC 9700 §4.14.2: ${kills} kills at random moments, and no code or refresh token has two successors; a retry gets its answer`,
    async () => judge(await dieAndRepeat({})),
    patience,
  );
});

await describeEngines('redis', (engine) => {
  test(
    `RFC 6749 §4.1.2: ${kills} kills at random moments while codes outlive the process, and none is redeemed twice`,
    async () => {
      const { url } = await engine.shared();
      judge(await dieAndRepeat({ REDIS_URL: url, REDIS_PREFIX: `kills-${process.pid}` }));
    },
    patience,
  );
});
