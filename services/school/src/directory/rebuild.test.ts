import { expect, test } from '@jest/globals';
import { isoTime } from '@lyceum/kernel';
import { type ModulePorts, writeErasure } from '@lyceum/service';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { school as module } from '../module.ts';
import { type Members, startMembers } from '../testing/members.ts';
import { engines } from '../testing/school-service.ts';
import { platformTenant } from './entry.ts';

const files = ['upload_00000000-0000-7000-8000-000000000001', 'upload_00000000-0000-7000-8000-000000000002'] as const;

const step = fc.record({
  what: fc.constantFrom(
    ...([
      'invite',
      'change',
      'role',
      'suspend',
      'reinstate',
      'avatar',
      'logo',
      'erase',
      'provision',
      'domain',
      'domain',
      'no domain',
      'announced',
      'deleted',
      'later',
    ] as const),
  ),
  which: fc.nat({ max: 7 }),
  file: fc.constantFrom(...files),
  role: fc.constantFrom('member', 'lecturer', 'admin'),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const first = { which: 0, file: files[0], role: 'member' } as const;

/** A member in each state, and something in every read model. */
const example: readonly Step[] = [
  { ...first, what: 'invite' },
  { ...first, what: 'suspend', which: 1 },
  { ...first, what: 'change', which: 2 },
  { ...first, what: 'avatar', which: 1 },
  { ...first, what: 'erase', which: 2 },
  { ...first, what: 'domain' },
  { ...first, what: 'announced' },
];

/** The service, the ids of those who are or were in the school, and of the schools. */
interface School extends Pick<Members, 'settled' | 'close'> {
  readonly all: Members;
  readonly started: Members['schools']['started'];
  readonly ports: ModulePorts;
  readonly known: string[];
  readonly provisioned: string[];
  /** What the DNS says. */
  readonly records: Map<string, readonly string[]>;
}

async function start(): Promise<School> {
  const on = engines();
  const records = new Map<string, readonly string[]>();
  const all = await startMembers(on, {
    resolveTxt: async (name) => records.get(name) ?? [],
    async erase(school, subject, meta) {
      await on.vault.destroy(school, subject);
      await writeErasure(on.log, { school, subject, meta, at: isoTime(on.clock.now()) });
    },
  });
  const { started, ports } = all.schools;
  const file = { access: 'public', content_type: 'image/png', size: 7, owner_id: 'account_1', state: 'ready' };
  files.forEach((id, index) => all.files.set(id, { ...file, purpose: index === 0 ? 'avatar' : 'page_image' }));
  const { settled, close } = all;
  return { all, started, ports, settled, close, known: Object.values(all.people), provisioned: [all.school], records };
}

/** Adds a domain and proves it. */
async function takeDomain({ all, records }: School, domain: string) {
  const path = '/api/school/domains';
  const { body } = await all.call('POST', path, { body: { domain } });
  if (body.record) records.set(body.record.name, [body.record.value]);
  return all.call('POST', `${path}/${domain}/verify`);
}

/** Does something to a person, or of one. */
async function performOf({ all, known }: School, { what, which, role }: Step) {
  const id = known[which % known.length]!;
  const path = `/api/members/${id}`;
  switch (what) {
    case 'invite': {
      const email = `person.${which}@example.org`;
      const { status, body } = await all.call('POST', '/api/members', {
        body: { email, name: `Person ${which}`, role },
      });
      return status === 201 && known.push(body.id);
    }
    case 'change':
      return all.call('PATCH', path, { body: { name: `Name ${which}`, tags: [`tag ${which % 3}`], note: 'A note' } });
    case 'role':
      return all.call('PUT', `${path}/role`, { body: { role } });
    case 'avatar':
      return all.call('PATCH', path, { body: { avatar: which % 3 === 0 ? null : files[0] } });
    default:
      return all.call('POST', `${path}/${what}`);
  }
}

async function perform(service: School, each: Step) {
  const { all, provisioned } = service;
  const { what, which, file: file_id } = each;
  const domain = `learn-${which % 2}.my-school.com`;
  const more = { purpose: 'avatar', access: 'public', content_type: 'image/png', size: 7, owner_id: 'account_1' };
  switch (what) {
    case 'logo':
      return all.call('PATCH', '/api/school', { body: { logo: which % 3 === 0 ? null : files[1] } });
    case 'provision': {
      const [slug, host] = [`guild-${which}`, `guild-${which}.example`];
      const profile = { slug, name: 'Guild', host, base_url: `https://${host}`, currency: 'EUR', locale: 'en' };
      const got = await all.schools.operate('POST', { ...profile, timezone: 'Europe/Lisbon' });
      return got.status === 201 && provisioned.push(got.body.id);
    }
    case 'domain':
      return takeDomain(service, domain);
    case 'no domain':
      return all.call('DELETE', `/api/school/domains/${domain}`);
    case 'announced':
      return all.schools.publish('media', { type: 'FileAnnounced', school: all.school, data: { file_id, ...more } });
    case 'deleted':
      return all.schools.publish('media', { type: 'FileDeleted', school: all.school, data: { file_id } });
    case 'later':
      return all.on.clock.advance(86_400_000);
    default:
      return performOf(service, each);
  }
}

test('projections rebuilt equal live: built anew from the logs they say what they said when they followed', async () => {
  const seen = await expectRebuiltAlike({
    module,
    start,
    step,
    example,
    perform,
    tenants: ({ provisioned }) => [...provisioned, platformTenant],
  });
  const rowsOf = (model: string) => Object.values(seen[model] ?? {});
  for (const model of ['directory', 'members', 'held-domains', 'files', 'file-holders'])
    expect([model, rowsOf(model).length > 0]).toEqual([model, true]);
  const statuses = new Set(rowsOf('members').map(({ status }) => status));
  expect(statuses).toEqual(new Set(['active', 'invited', 'suspended', 'erased']));
}, 120_000);
