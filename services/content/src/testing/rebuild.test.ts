import { expect, test } from '@jest/globals';
import { isoTime } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { type Commented, commentModule, hosts, memberOf, startCommented } from './commented.ts';
import { formIds, shownForms } from './shown-forms.ts';

const people = ['ada', 'bob', 'cyd'] as const;

const step = fc.record({
  what: fc.constantFrom(
    ...(['post', 'post', 'post', 'answer', 'edit', 'like', 'unlike', 'report', 'delete', 'erase', 'policy'] as const),
    ...(['approve', 'hide', 'restore', 'spam', 'send', 'send', 'accept', 'mark', 'remove'] as const),
  ),
  who: fc.constantFrom(...people),
  host: fc.constantFrom(hosts.openCourse, hosts.paidLesson, hosts.publicPost),
  which: fc.nat(9),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const first = { who: 'ada', host: hosts.openCourse, which: 0 } as const;

/** Leads to an answer, likes, a report, a submission that is spam, and somebody who is erased. */
const example: readonly Step[] = [
  { ...first, what: 'post' },
  { ...first, what: 'post', who: 'bob', host: hosts.publicPost },
  { ...first, what: 'answer', who: 'cyd' },
  { ...first, what: 'like', who: 'bob' },
  { ...first, what: 'report', who: 'bob' },
  { ...first, what: 'policy' },
  { ...first, what: 'send', who: 'bob' },
  { ...first, what: 'mark' },
  { ...first, what: 'erase', who: 'cyd' },
];

const owner = { as: { role: 'owner' } } as const;
const contact = `/api/forms/${formIds.contact}/submissions`;
let words = 0;

const idOf = async (service: Commented, path: string, which: number): Promise<string> => {
  const { body } = await service.call('GET', `${path}limit=100&sort=created_at`, owner);
  const ids: readonly string[] = body.data.map(({ id }: { id: string }) => id);
  return ids[which % Math.max(1, ids.length)] ?? 'none';
};

async function erase({ vault, log, clock }: Commented, who: string) {
  const subject = `account_${who}`;
  await vault.destroy('school_1', subject);
  const erasure = { school: 'school_1', subject, meta: { actor: 'system' }, at: isoTime(clock.now()) };
  await writeErasure(log, erasure);
}

async function perform(service: Commented, { what, who, host, which }: Step) {
  const as = memberOf(who);
  const text = `Words number ${(words += 1)}`;
  service.clock.advance(1);
  if (what === 'post') return service.post(who, host, text);
  if (what === 'policy') return service.policy(which % 2 === 0 ? 'open' : 'all_held');
  if (what === 'erase') return which === 0 ? erase(service, who) : undefined;
  if (what === 'send') {
    const body = { answers: { email: `${who}@example.org`, message: text } };
    return service.call('POST', contact, { as: which % 2 === 0 ? as : 'anonymous', body });
  }
  if (what === 'accept' || what === 'mark' || what === 'remove') {
    const at = `${contact}/${await idOf(service, `${contact}?`, which)}`;
    if (what === 'remove') return service.call('DELETE', at, owner);
    return service.call('POST', `${at}/${what === 'mark' ? 'spam' : 'accept'}`, owner);
  }
  const id = await idOf(service, '/api/comments?', which);
  const at = `/api/comments/${id}`;
  switch (what) {
    case 'answer':
      return service.post(who, host, text, { parent_id: id });
    case 'edit':
      return service.call('PATCH', at, { as, body: { body: text } });
    case 'like':
      return service.call('POST', `${at}/like`, { as });
    case 'unlike':
      return service.call('DELETE', `${at}/like`, { as });
    case 'report':
      return service.call('POST', `${at}/report`, { as, body: { reason: 'spam' } });
    case 'delete':
      return service.call('DELETE', at, { as });
    default:
      return service.call('POST', `${at}/moderation`, { ...owner, body: { action: what } });
  }
}

test('every read model of comments and forms, built anew after random histories, is what it was', async () => {
  const seen = await expectRebuiltAlike({
    module: commentModule,
    start: () => startCommented({ given: { school_1: shownForms } }),
    step,
    perform,
    tenants: () => ['school_1', 'school_2'],
    example,
  });
  for (const name of ['comments', 'comment_counts', 'comment_likes', 'comment_like_counts', 'forms', 'submissions'])
    expect([name, Object.keys(seen[name] ?? {}).length > 0]).toEqual([name, true]);
}, 120_000);
