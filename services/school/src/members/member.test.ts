import { given } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import { Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { type MemberEvent, memberEvents } from './member.events.ts';
import { memberDecider, memberEmail } from './member.ts';

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
const join = { type: 'JoinSchool', ...ada, name: 'Ada', role: 'member' } as const;
const erase = { type: 'EraseMember', by, notBefore } as const;

describe('a member', () => {
  test('is invited once, and claims the e-mail address by its key', () => {
    given(memberDecider)
      .when({ type: 'InviteMember', ...ada, role: 'lecturer', by })
      .then(invited);
    given(memberDecider, invited)
      .when({ type: 'InviteMember', ...ada, role: 'admin', by })
      .rejected('invalid_state');
    expect(memberDecider.claims!(invited)).toEqual([{ kind: memberEmail, value: 'k', rejected: 'email_taken' }]);
  });

  test('joins with the role of the invitation, and only without one with the role of the sign-up', () => {
    given(memberDecider, invited).when(join).then(joined);
    given(memberDecider)
      .when(join)
      .then({ type: 'MemberJoined', data: { ...joined.data, role: 'member' } } as MemberEvent);
    given(memberDecider, invited, joined).when(join).unchanged();
    given(memberDecider, invited, joined, suspended).when(join).unchanged();
  });

  test('is invited again only before joining', () => {
    given(memberDecider, invited)
      .when({ type: 'RenewInvitation', by })
      .then({ type: 'InvitationRenewed', data: { by } });
    given(memberDecider, joined).when({ type: 'RenewInvitation', by }).rejected('invalid_state');
  });

  test('is suspended and reinstated once each, and not before joining', () => {
    given(memberDecider, joined).when({ type: 'SuspendMember', by, notBefore }).then(suspended);
    given(memberDecider, joined, suspended).when({ type: 'SuspendMember', by, notBefore }).unchanged();
    given(memberDecider, joined, suspended)
      .when({ type: 'ReinstateMember', by })
      .then({ type: 'MemberReinstated', data: { by, role: 'lecturer' } });
    given(memberDecider, joined).when({ type: 'ReinstateMember', by }).unchanged();
    given(memberDecider, invited).when({ type: 'SuspendMember', by, notBefore }).rejected('invalid_state');
    given(memberDecider, invited).when({ type: 'ReinstateMember', by }).rejected('invalid_state');
  });

  test('gets another role; the same role again changes nothing', () => {
    given(memberDecider, joined)
      .when({ type: 'SetMemberRole', role: 'admin', by, notBefore })
      .then({
        type: 'MemberRoleChanged',
        data: { from: 'lecturer', to: 'admin', by, tokens_not_before: notBefore },
      });
    given(memberDecider, joined).when({ type: 'SetMemberRole', role: 'lecturer', by, notBefore }).unchanged();
  });

  test('notes only what is different; an empty text clears what null shows', () => {
    const bio: MemberEvent = { type: 'MemberChanged', data: { bio: 'Weaver' } };
    given(memberDecider, joined)
      .when({ type: 'ChangeMember', changes: { bio: 'Weaver', name: 'Ada', note: '' } })
      .then(bio);
    given(memberDecider, joined, bio)
      .when({ type: 'ChangeMember', changes: { bio: '' } })
      .then({ type: 'MemberChanged', data: { bio: '' } });
    expect(given(memberDecider, joined, bio, { type: 'MemberChanged', data: { bio: '' } }).state).toMatchObject({
      bio: null,
    });
  });

  test('signs in with another address: the old one is free', () => {
    const moved: MemberEvent = { type: 'MemberReaddressed', data: { email: 'a@b.org', email_key: 'k2' } };
    given(memberDecider, joined).when({ type: 'ReaddressMember', email: 'a@b.org', emailKey: 'k2' }).then(moved);
    given(memberDecider, joined)
      .when({ type: 'ReaddressMember', ...ada })
      .unchanged();
    expect(memberDecider.claims!(moved)).toEqual([{ kind: memberEmail, value: 'k2', rejected: 'email_taken' }]);
    expect(memberDecider.releases!(moved, given(memberDecider, joined).state)).toEqual([
      { kind: memberEmail, value: 'k' },
    ]);
  });

  test('erased is terminal: nothing is known of the person, the address is free, and nothing can be asked', () => {
    given(memberDecider, joined).when(erase).then(erased);
    given(memberDecider, invited).when(erase).then(erased);
    const gone = given(memberDecider, joined, { type: 'MemberChanged', data: { note: 'n', tags: ['t'] } }, erased);
    expect(gone.state).toMatchObject({ status: 'erased', email: null, name: null, note: null, tags: [] });
    gone.when(erase).unchanged();
    for (const command of [
      join,
      { type: 'RenewInvitation', by },
      { type: 'ChangeMember', changes: { bio: 'b' } },
      { type: 'SetMemberRole', role: 'owner', by, notBefore },
      { type: 'SuspendMember', by, notBefore },
      { type: 'ReinstateMember', by },
    ] as const)
      gone.when(command).rejected('erased');
    expect(memberDecider.releases!(erased, given(memberDecider, joined).state)).toEqual([
      { kind: memberEmail, value: 'k' },
    ]);
  });

  test('nobody can be asked of who never was', () => {
    for (const command of [{ type: 'RenewInvitation', by }, erase, { type: 'ReinstateMember', by }] as const)
      given(memberDecider).when(command).rejected('not_found');
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
    expect(given(memberDecider, joined, read).state).toMatchObject({ tags: [], note: null, marketing_consent: null });
  });

  test('whose key is destroyed reads as nobody', () => {
    const unread: MemberEvent = {
      type: 'MemberJoined',
      data: { email: null, email_key: 'k', name: null, role: 'member' },
    };
    expect(given(memberDecider, unread).state).toMatchObject({ email: null, name: null, status: 'active' });
  });
});
