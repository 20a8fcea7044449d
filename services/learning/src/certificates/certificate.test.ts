import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import { codeBytes, codeIn, codeOf, shownCode } from './certificate.code.ts';
import type { CertificateEvent, CertificateIssued } from './certificate.events.ts';
import { certificateDecider, certificateStream } from './certificate.ts';

const certificate: CertificateIssued = {
  enrollment_id: 'enrollment_1',
  member_id: 'account_1',
  course_id: 'course_1',
  code: '7ZK3M9Q2RT0VXA4HJ6PC',
  name: 'Ana Sousa',
  title: 'Paper lanterns',
  completed_on: '2026-01-05',
};
const issued: CertificateEvent = { type: 'CertificateIssued', data: certificate };
const revoked: CertificateEvent = {
  type: 'CertificateRevoked',
  data: { enrollment_id: 'enrollment_1', member_id: 'account_1' },
};
const issue = { type: 'IssueCertificate', certificate } as const;
const revoke = { type: 'RevokeCertificate' } as const;

describe('a certificate', () => {
  test('is issued once, and claims its code', () => {
    given(certificateDecider).when(issue).then(issued);
    given(certificateDecider, issued)
      .when({ ...issue, certificate: { ...certificate, code: 'Z'.repeat(20), name: 'Another' } })
      .unchanged();
    expect(certificateDecider.claims?.(issued)).toMatchObject([{ kind: 'certificate_code', value: certificate.code }]);
    expect(certificateDecider.claims?.(revoked)).toEqual([]);
  });

  test('is noted in its enrollment, without the name', () => {
    const { state } = given(certificateDecider, issued);
    const [noted, ...more] = certificateDecider.sideEvents?.(null, state, issue) ?? [];
    expect([noted, more]).toEqual([
      {
        stream: 'enrollment_1',
        type: 'EnrollmentCertified',
        schema: 1,
        data: { member_id: 'account_1', course_id: 'course_1', certificate_id: certificateStream('enrollment_1') },
      },
      [],
    ]);
    expect(certificateDecider.sideEvents?.(state, state, revoke)).toEqual([]);
  });

  test('is revoked for good, and not issued again', () => {
    given(certificateDecider, issued).when(revoke).then(revoked);
    given(certificateDecider, issued, revoked).when(revoke).unchanged();
    given(certificateDecider, issued, revoked).when(issue).unchanged();
    given(certificateDecider).when(revoke).rejected('not_found');
    expect(given(certificateDecider, issued).state?.revoked_at).toBeNull();
    expect(given(certificateDecider, issued, revoked).state?.revoked_at).toBe('2026-01-05T08:00:00.000Z');
  });
});

describe('a code', () => {
  const bytes = fc.uint8Array({ minLength: codeBytes, maxLength: codeBytes });

  test('of 100 bits is found again however people write it', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), fc.boolean(), (random, isLower, isGrouped) => {
        const code = codeOf(random);
        const grouped = isGrouped ? shownCode(code) : code;
        const typed = (isLower ? grouped.toLowerCase() : grouped).replaceAll('0', 'o').replaceAll('1', 'l');
        return /^[0-9A-HJKMNP-TV-Z]{20}$/.test(code) && codeIn(typed) === code;
      }),
    );
  });

  test('uses every character as often as any other', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const [first = ''] = codeOf(Uint8Array.of(byte, ...Array.from({ length: 19 }, () => 0)));
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([counts.size, new Set(counts.values())]).toEqual([32, new Set([8])]);
  });

  test('is shown in groups of five', () => expect(shownCode('7ZK3M9Q2RT0VXA4HJ6PC')).toBe('7ZK3M-9Q2RT-0VXA4-HJ6PC'));

  test.each(['', '7ZK3M', '7ZK3M-9Q2RT-0VXA4-HJ6PCX', '7ZK3M-9Q2RT-0VXA4-HJ6PU', '7ZK3M-9Q2RT-0VXA4-HJ6P*'])(
    '%j is none',
    (typed) => expect(codeIn(typed)).toBeUndefined(),
  );
});
