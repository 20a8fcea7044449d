import { given } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import { Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { type MemberEvent, memberEvents } from './member.events.ts';
import { member, memberEmail } from './member.ts';

const notBefore = '2026-01-05T08:00:01.000Z';
const by = 'account_1';
const ada = { email: 'ada@example.org', emailKey: 'k' };
const invited: MemberEvent = {
  type: 'MemberInvited',
  data: { email: ada.email, email_key: 'k', role: 'lecturer', by },
};
const joined: MemberEvent = {
  type: 'MemberJoined',
  data: { email: ada.email, email_key: 'k', name: 'Ada', role: 'lecturer' },
};
const suspended: MemberEvent = { type: 'MemberSuspended', data: { by, tokens_not_before: notBefore } };
const erased: MemberEvent = { type: 'MemberErased', data: { by, tokens_not_before: notBefore } };
const join = { type: 'join', ...ada, name: 'Ada', role: 'member' } as const;
const erase = { type: 'erase', by, notBefore } as const;

describe('a member', () => {
  test('is invited once, and claims the e-mail address by its key', () => {
    given(member)
      .when({ type: 'invite', ...ada, role: 'lecturer', by })
      .then(invited);
    given(member, invited)
      .when({ type: 'invite', ...ada, role: 'admin', by })
      .rejected('invalid_state');
    expect(member.claims!(invited)).toEqual([{ kind: memberEmail, value: 'k', rejected: 'email_taken' }]);
  });

  test('joins with the role of the invitation, and only without one with the role of the sign-up', () => {
    given(member, invited).when(join).then(joined);
    given(member)
      .when(join)
      .then({ type: 'MemberJoined', data: { ...joined.data, role: 'member' } } as MemberEvent);
    given(member, invited, joined).when(join).unchanged();
    given(member, invited, joined, suspended).when(join).unchanged();
  });

  test('is invited again only before joining', () => {
    given(member, invited).when({ type: 'renew', by }).then({ type: 'InvitationRenewed', data: { by } });
    given(member, joined).when({ type: 'renew', by }).rejected('invalid_state');
  });

  test('is suspended and reinstated once each, and not before joining', () => {
    given(member, joined).when({ type: 'suspend', by, notBefore }).then(suspended);
    given(member, joined, suspended).when({ type: 'suspend', by, notBefore }).unchanged();
    given(member, joined, suspended)
      .when({ type: 'reinstate', by })
      .then({ type: 'MemberReinstated', data: { by, role: 'lecturer' } });
    given(member, joined).when({ type: 'reinstate', by }).unchanged();
    given(member, invited).when({ type: 'suspend', by, notBefore }).rejected('invalid_state');
    given(member, invited).when({ type: 'reinstate', by }).rejected('invalid_state');
  });

  test('gets another role; the same role again changes nothing', () => {
    given(member, joined)
      .when({ type: 'setRole', role: 'admin', by, notBefore })
      .then({
        type: 'MemberRoleChanged',
        data: { from: 'lecturer', to: 'admin', by, tokens_not_before: notBefore },
      });
    given(member, joined).when({ type: 'setRole', role: 'lecturer', by, notBefore }).unchanged();
  });

  test('notes only what is different; an empty text clears what null shows', () => {
    const bio: MemberEvent = { type: 'MemberChanged', data: { bio: 'Weaver' } };
    given(member, joined)
      .when({ type: 'change', changes: { bio: 'Weaver', name: 'Ada', note: '' } })
      .then(bio);
    given(member, joined, bio)
      .when({ type: 'change', changes: { bio: '' } })
      .then({ type: 'MemberChanged', data: { bio: '' } });
    expect(given(member, joined, bio, { type: 'MemberChanged', data: { bio: '' } }).state).toMatchObject({ bio: null });
  });

  test('signs in with another address: the old one is free', () => {
    const moved: MemberEvent = { type: 'MemberReaddressed', data: { email: 'a@b.org', email_key: 'k2' } };
    given(member, joined).when({ type: 'readdress', email: 'a@b.org', emailKey: 'k2' }).then(moved);
    given(member, joined)
      .when({ type: 'readdress', ...ada })
      .unchanged();
    expect(member.claims!(moved)).toEqual([{ kind: memberEmail, value: 'k2', rejected: 'email_taken' }]);
    expect(member.releases!(moved, given(member, joined).state)).toEqual([{ kind: memberEmail, value: 'k' }]);
  });

  test('erased is terminal: nothing is known of the person, the address is free, and nothing can be asked', () => {
    given(member, joined).when(erase).then(erased);
    given(member, invited).when(erase).then(erased);
    const gone = given(member, joined, { type: 'MemberChanged', data: { note: 'n', tags: ['t'] } }, erased);
    expect(gone.state).toMatchObject({ status: 'erased', email: null, name: null, note: null, tags: [] });
    gone.when(erase).unchanged();
    for (const command of [
      join,
      { type: 'renew', by },
      { type: 'change', changes: { bio: 'b' } },
      { type: 'setRole', role: 'owner', by, notBefore },
      { type: 'suspend', by, notBefore },
      { type: 'reinstate', by },
    ] as const)
      gone.when(command).rejected('erased');
    expect(member.releases!(erased, given(member, joined).state)).toEqual([{ kind: memberEmail, value: 'k' }]);
  });

  test('nobody can be asked of who never was', () => {
    for (const command of [{ type: 'renew', by }, erase, { type: 'reinstate', by }] as const)
      given(member).when(command).rejected('not_found');
  });

  test('has nothing a school noted about them in the log in plain text, and nothing of it is read once the key is gone', async () => {
    const raw = memoryEventLog();
    const vault = new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
    const log = encryptedEventLog(raw, { vault, catalogue: catalogueOf([memberEvents]) });
    const consent = { value: true, at: notBefore, source: 'said so at planted fair' };
    const data = { tags: ['planted tag'], note: 'planted note', marketing_consent: consent };
    const stream = 'account_1';
    const event = { stream, type: 'MemberChanged', schema: 1, data };
    const expectations = [{ stream, version: 0 }];
    const at = '2026-01-05T08:00:00.000Z';
    await log.append({
      tenant: 's',
      commitId: 'c',
      fingerprint: '',
      at,
      meta: { actor: 'x' },
      expectations,
      events: [event],
    });
    const stored = JSON.stringify(await raw.readLane(raw.laneOf('s'), 0, 9));
    expect(stored).not.toContain('planted');
    await vault.destroy('s', stream);
    const { commits } = await log.load('s', [stream]);
    const read = commits[0]!.events[0] as unknown as MemberEvent;
    expect(given(member, joined, read).state).toMatchObject({ tags: [], note: null, marketing_consent: null });
  });

  test('whose key is destroyed reads as nobody', () => {
    const unread: MemberEvent = {
      type: 'MemberJoined',
      data: { email: null, email_key: 'k', name: null, role: 'member' },
    };
    expect(given(member, unread).state).toMatchObject({ email: null, name: null, status: 'active' });
  });
});
