import { afterEach, expect, test } from '@jest/globals';
import { type Message, memoryChannel } from '@lyceum/channel';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import fc from 'fast-check';
import { parseAuthority } from './authority.ts';
import { type Schools, followSchools } from './follow-schools.ts';

const clock = new FakeClock();
const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});

interface Told {
  readonly tenant: string;
  readonly type: string;
  readonly data: unknown;
}

/** The history of schools in one lane, and from where it was asked for. */
function sourceOf(told: readonly Told[], epoch = 'a') {
  const asked: number[] = [];
  const message = ({ tenant, type, data }: Told, index: number): Message => ({
    source: 'school',
    lane: 0,
    position: index + 1,
    previous: index,
    commitId: `${epoch} ${index + 1}`,
    tenant,
    at: new Date(Date.parse('2026-01-05T08:00:00.000Z') + index * 1_000).toISOString(),
    facts: [{ id: `f${index}`, type, schema: 1, subject: tenant, version: index + 1, data }],
  });
  const backfill = async (_lane: number, after: number, limit: number) => {
    asked.push(after);
    return told.map(message).slice(after, after + limit);
  };
  return { asked, backfill, heads: async () => ({ heads: [told.length], epoch }) };
}

/** A gateway that has caught up with the history. */
async function started(source: ReturnType<typeof sourceOf>, documents?: Documents): Promise<Schools> {
  const channel = memoryChannel();
  channel.offer('school', 1, source.backfill, source.heads);
  const logger = { error: () => undefined, debug: () => undefined };
  const ports = { channel, clock, ephemeral: memoryEphemeral(clock), keptDocuments: documents, logger };
  const schools = followSchools(ports as never);
  closing.push(channel, schools);
  await schools.caughtUp();
  return schools;
}

const stopped = async (): Promise<void> => {
  for (const each of closing.splice(0).reverse()) await each.close();
};

const profile = { slug: 'a', name: 'A', currency: 'USD', locale: 'de', timezone: 'Europe/Lisbon' };
const palette = { accent: '#14605a', background: '#f2f4f1', surface: '#ffffff', text: '#17211e' };
const look = { palette, typography: 'serif', layout: 'card', dark_mode: 'auto', logo_text: 'A', revision: 1 };
const provisioned = (tenant: string, host: string): Told => ({
  tenant,
  type: 'SchoolProvisioned',
  data: { ...profile, host, base_url: `https://${host}` },
});

const hosts = ['a.example', 'b.example', 'c.example', 'd.example'];
const tenants = ['school_a', 'school_b', 'school_c'];
const told: fc.Arbitrary<Told> = fc.oneof(
  fc
    .record({ tenant: fc.constantFrom(...tenants), host: fc.constantFrom(...hosts) })
    .map(({ tenant, host }) => provisioned(tenant, host)),
  fc
    .record({
      tenant: fc.constantFrom(...tenants),
      host: fc.constantFrom(...hosts, '127.0.0.1'),
      port: fc.constantFrom('', ':8080'),
    })
    .map(({ tenant, host, port }) => ({
      tenant,
      type: 'SchoolMoved',
      data: { host, base_url: `http://${host}${port}` },
    })),
  fc
    .record({
      tenant: fc.constantFrom(...tenants),
      type: fc.constantFrom('DomainVerified', 'DomainRemoved'),
      domain: fc.constantFrom(...hosts),
    })
    .map(({ tenant, type, domain }) => ({ tenant, type, data: { domain } })),
  fc.record({
    tenant: fc.constantFrom(...tenants),
    type: fc.constantFrom('SchoolSuspended', 'SchoolResumed', 'SchoolClosed'),
    data: fc.constant({}),
  }),
  fc.record({ tenant: fc.constantFrom(...tenants), type: fc.constant('AppearancePublished'), data: fc.constant(look) }),
  fc.record({
    tenant: fc.constantFrom(...tenants),
    type: fc.constant('SchoolSignUpSet'),
    data: fc.constantFrom({ sign_up: 'open' }, { sign_up: 'invited' }),
  }),
  fc.record({
    tenant: fc.constantFrom(...tenants),
    type: fc.constant('SchoolChanged'),
    data: fc.constantFrom({ name: 'B' }, { locale: 'pt' }, { tagline: 'C' }),
  }),
);

/** Everything that a request may learn of the table. */
const seen = ({ hosts: table }: Schools) => ({
  schools: tenants.map((tenant) => table.byId(tenant)),
  at: [...hosts, '127.0.0.1', 'localhost', '[::1]'].flatMap((host) =>
    ['', ':8080', ':80', ':443'].map((port) => {
      const authority = parseAuthority(`${host}${port}`)!;
      return [host + port, table.at(authority)?.id, table.isCustom(authority)];
    }),
  ),
});

test('a gateway that goes on from what was kept has the table of one that has read everything, whatever was told before and after', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 25 }), fc.array(told, { maxLength: 12 }), async (before, after) => {
      const documents = memoryDocuments();
      await started(sourceOf(before), documents);
      await stopped();
      const whole = [...before, ...after];
      const source = sourceOf(whole);
      const kept = seen(await started(source, documents));
      const read = seen(await started(sourceOf(whole)));
      await stopped();
      expect(kept).toEqual(read);
      expect(Math.min(...source.asked)).toBe(before.length);
    }),
    { numRuns: 200, interruptAfterTimeLimit: 8_000 },
  );
}, 30_000);

test('what was kept in another epoch of the log of schools is of no use, and everything is read', async () => {
  const documents = memoryDocuments();
  await started(sourceOf([provisioned('school_a', 'a.example'), provisioned('school_b', 'b.example')]), documents);
  await stopped();
  const source = sourceOf([provisioned('school_c', 'c.example')], 'b');
  const { hosts: table } = await started(source, documents);
  expect(hosts.map((host) => table.at(parseAuthority(host)!)?.id)).toEqual([
    undefined,
    undefined,
    'school_c',
    undefined,
  ]);
  expect(source.asked[0]).toBe(0);
});

test('while documents cannot be written, hosts are known all the same', async () => {
  const documents = memoryDocuments();
  documents.apply = () => Promise.reject(new Error('no room'));
  const { hosts: table } = await started(sourceOf([provisioned('school_a', 'a.example')]), documents);
  expect(table.at(parseAuthority('a.example')!)?.id).toBe('school_a');
});
