import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ExportRequestEvent } from './export-request.events.ts';
import {
  accountOfExportRequest,
  exportRequestDecider,
  exportRequestStream,
  liveExport,
  nextExportAt,
} from './export-request.ts';

const requested: ExportRequestEvent = { type: 'ExportRequested', data: { expires_at: '2026-01-12T08:00:00.000Z' } };
const request = (now: string, expires_at: string) => ({ type: 'RequestExport', now, expires_at }) as const;
const at = '2026-01-05T08:00:00.000Z';
const state = exportRequestDecider.evolve(undefined, requested, { at, version: 1 });

describe('a request for an export', () => {
  test('is made once a day, and the last one counts', () => {
    given(exportRequestDecider).when(request(at, requested.data.expires_at)).then(requested);
    const soon = exportRequestDecider.decide(request('2026-01-06T07:59:59.999Z', '2026-01-13T07:59:59.999Z'), state);
    expect(soon).toMatchObject({
      rejected: 'rate_limited',
      reason: expect.stringContaining('2026-01-06T08:00:00.000Z'),
    });
    const expires_at = '2026-01-13T08:00:00.000Z';
    const again = exportRequestDecider.decide(request('2026-01-06T08:00:00.000Z', expires_at), state);
    expect(again).toEqual([{ type: 'ExportRequested', data: { expires_at } }]);
  });

  test('counts until its link expires', () => {
    expect(state).toEqual({ requested_at: at, expires_at: requested.data.expires_at });
    expect(liveExport(state, '2026-01-12T07:59:59.999Z')).toBe(state);
    expect(liveExport(state, '2026-01-12T08:00:00.000Z')).toBeUndefined();
    expect(liveExport(undefined, at)).toBeUndefined();
    expect(nextExportAt(state!)).toBe('2026-01-06T08:00:00.000Z');
  });

  test('stands in a stream that tells whose it is', () => {
    const account = 'account_00000000-0000-7000-8000-000000000001';
    expect(accountOfExportRequest(exportRequestStream(account))).toBe(account);
  });
});
