import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ErasureRequestEvent } from './erasure-request.events.ts';
import { erasureMail } from './erasure-request.mail.ts';
import { erasureRequestDecider, erasureRequestStream, memberOfErasureRequest } from './erasure-request.ts';

const due_at = '2026-01-19T08:00:00.000Z';
const requested: ErasureRequestEvent = { type: 'ErasureRequested', data: { due_at } };
const confirmed: ErasureRequestEvent = { type: 'ErasureConfirmed', data: {} };
const begun: ErasureRequestEvent = { type: 'ErasureBegun', data: {} };
const cancelled: ErasureRequestEvent = { type: 'ErasureCancelled', data: { reason: 'person' } };
const request = { type: 'RequestErasure', due_at, isLastOwner: false } as const;
const cancel = { type: 'CancelErasure', reason: 'person' } as const;
const begin = (now: string) => ({ type: 'BeginErasure', now }) as const;

describe('a request for erasure', () => {
  test('waits until it is due; asking again changes nothing, not even the time', () => {
    given(erasureRequestDecider).when(request).then(requested);
    given(erasureRequestDecider, requested)
      .when({ ...request, due_at: '2027-01-01T00:00:00.000Z' })
      .unchanged();
    given(erasureRequestDecider, requested).when(begin('2026-01-19T07:59:59.999Z')).unchanged();
    given(erasureRequestDecider, requested).when(begin(due_at)).then(begun);
    given(erasureRequestDecider, requested, begun).when(begin(due_at)).unchanged();
    given(erasureRequestDecider).when(begin(due_at)).unchanged();
  });

  test('of the last owner is refused', () => {
    given(erasureRequestDecider)
      .when({ ...request, isLastOwner: true })
      .rejected('last_owner');
  });

  test('is cancelled, and may be made again; nothing begins after that', () => {
    given(erasureRequestDecider, requested).when(cancel).then(cancelled);
    given(erasureRequestDecider, requested, cancelled).when(begin(due_at)).unchanged();
    given(erasureRequestDecider, requested, cancelled).when(request).then(requested);
    given(erasureRequestDecider).when(cancel).rejected('not_found');
    given(erasureRequestDecider, requested, cancelled).when(cancel).rejected('not_found');
  });

  test('that has begun is cancelled by nobody but the rule about the last owner', () => {
    given(erasureRequestDecider, requested, begun).when(cancel).rejected('invalid_state');
    given(erasureRequestDecider, requested, begun)
      .when({ type: 'CancelErasure', reason: 'last_owner' })
      .then({ type: 'ErasureCancelled', data: { reason: 'last_owner' } });
    given(erasureRequestDecider, requested, begun).when(request).unchanged();
  });

  test('is confirmed to the person once', () => {
    given(erasureRequestDecider, requested).when({ type: 'ConfirmErasure' }).then(confirmed);
    given(erasureRequestDecider, requested, confirmed).when({ type: 'ConfirmErasure' }).unchanged();
    given(erasureRequestDecider, requested, cancelled).when({ type: 'ConfirmErasure' }).unchanged();
  });

  test('is in a stream from which its member follows', () => {
    const member = 'account_0195a3c2-7d10-7abc-8def-0123456789ab';
    expect(memberOfErasureRequest(erasureRequestStream(member))).toBe(member);
  });

  test.each(['en', 'de-AT', 'pt-BR', 'ko', 'fr'])('is written about in %s, with nothing left to fill in', (locale) => {
    for (const date of [due_at, undefined]) {
      const mail = erasureMail({ school: 'Sound & {date}\nLight', locale, ...(date ? { date } : {}) });
      expect(mail.subject).toContain('Sound & {date} Light');
      expect(mail.text.includes('2026-01-19 08:00')).toBe(date !== undefined);
      expect(`${mail.subject}${mail.text}`).not.toMatch(/\{school\}|undefined/);
    }
  });
});
