import { memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { Vault, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { memoryMail } from '@lyceum/mail';
import { type TokenClaims, testSchool } from '@lyceum/oauth/testing';
import { FakeClock, FakeIds, listen } from '@lyceum/testkit';
import { pino } from 'pino';
import { domainModule } from '../../domain-module.ts';
import type { ModulePorts } from '../../module.ts';
import { noteSlice } from './notes.ts';

/** What a test sends beside method and path. */
export interface Sent {
  readonly as?: TokenClaims | 'anonymous';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service with the one area of notes, on memory. */
export async function startNotes() {
  const clock = new FakeClock();
  const school = await testSchool({ clock });
  const rootKey = Buffer.alloc(32, 7);
  const ports: ModulePorts = {
    log: memoryEventLog(),
    documents: memoryDocuments(),
    ephemeral: memoryEphemeral(clock),
    channel: memoryChannel(),
    mail: memoryMail(),
    vault: new Vault(memoryKeyStore(), [rootKey]),
    rootKeys: [rootKey],
    clock,
    ids: new FakeIds(),
    trust: school.trust,
    cursorSecret: 'secret',
    settings: {} as ModulePorts['settings'],
    logger: pino({ enabled: false }),
    upstream: () => {
      throw new Error('no siblings here');
    },
  };
  const started = await domainModule({ name: 'notes', routes: [], slices: [noteSlice] }).start(ports);
  const listener = await listen(started.app);
  return {
    clock,
    settled: async () => started.ready?.(),
    async call(method: string, path: string, { as = {}, body, headers = {} }: Sent = {}) {
      const token = as === 'anonymous' ? {} : { authorization: `Bearer ${await school.token(as)}` };
      const response = await fetch(`http://127.0.0.1:${listener.port}/api/posts${path}`, {
        method,
        redirect: 'manual',
        headers: { 'x-school-id': school.id, 'content-type': 'application/json', ...token, ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    async close() {
      await Promise.all([listener.close(), started.close()]);
      await ports.channel.close();
    },
  };
}
