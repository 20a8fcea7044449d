import { describe, expect, test } from '@jest/globals';
import { localDay } from '@lyceum/kernel';
import fc from 'fast-check';
import { dateOf } from '../calendar/calendar.ts';
import { KnownSchools } from './known-schools.ts';
import { dayAt } from './local-days.ts';

function told(...facts: readonly { readonly at: string; readonly timezone?: string; readonly currency?: string }[]) {
  const schools = new KnownSchools();
  for (const [index, { at, ...data }] of facts.entries()) {
    const type = index === 0 ? 'SchoolProvisioned' : 'SchoolChanged';
    schools.apply({ tenant: 's1', at, fact: { type, data } });
  }
  return schools;
}

describe('the calendar of a school', () => {
  const lisbon = { at: '2026-01-01T00:00:00.000Z', timezone: 'Europe/Lisbon', currency: 'EUR' };
  const dates = (schools: KnownSchools, ...times: readonly string[]) =>
    times.map((at) => dateOf(schools.dayOf('s1', at)));

  test('a day is that of its time zone, in winter and in summer', () => {
    const schools = told(lisbon);
    expect(dates(schools, '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z')).toEqual([
      '2026-01-31',
      '2026-02-01',
    ]);
    expect(dates(schools, '2026-06-30T22:59:59.999Z', '2026-06-30T23:00:00.000Z')).toEqual([
      '2026-06-30',
      '2026-07-01',
    ]);
    expect(schools.currencyOf('s1')).toBe('EUR');
    expect(schools.currencyOf('s2')).toBeUndefined();
  });

  test('a change of the time zone leaves the days before it as they were, and counts from the next day on', () => {
    const schools = told(lisbon, { at: '2026-03-10T12:00:00.000Z', timezone: 'Asia/Tokyo' });
    const times = [
      '2026-03-09T20:00:00.000Z',
      '2026-03-10T20:00:00.000Z',
      '2026-03-11T00:00:00.000Z',
      '2026-03-11T15:00:00.000Z',
    ];
    expect(dates(schools, ...times)).toEqual(['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12']);
    expect(schools.timezoneAt('s1', '2026-03-10T23:59:00.000Z')).toBe('Europe/Lisbon');
    expect(schools.timezoneAt('s1', '2026-03-11T00:00:00.000Z')).toBe('Asia/Tokyo');
  });

  test('a change shortly before midnight counts a day later: nobody hears of it too late', () => {
    const schools = told(lisbon, { at: '2026-03-10T23:30:00.000Z', timezone: 'Asia/Tokyo' });
    expect(schools.timezoneAt('s1', '2026-03-11T12:00:00.000Z')).toBe('Europe/Lisbon');
    expect(schools.timezoneAt('s1', '2026-03-12T00:00:00.000Z')).toBe('Asia/Tokyo');
  });

  test('of two changes in a day the last one counts, and one that says the same changes nothing', () => {
    const schools = told(
      lisbon,
      { at: '2026-03-10T10:00:00.000Z', timezone: 'Asia/Tokyo' },
      { at: '2026-03-10T11:00:00.000Z', timezone: 'Europe/Paris' },
      { at: '2026-03-10T12:00:00.000Z', timezone: 'Europe/Paris' },
      { at: '2026-03-10T13:00:00.000Z', currency: 'USD' },
    );
    expect(schools.timezoneAt('s1', '2026-03-11T00:00:00.000Z')).toBe('Europe/Paris');
    expect(schools.currencyOf('s1')).toBe('USD');
  });

  test('a history that is read again says the same', () => {
    const facts = [lisbon, { at: '2026-03-10T12:00:00.000Z', timezone: 'Asia/Tokyo' }];
    const schools = told(...facts);
    const again = told(...facts);
    for (const [index, { at, ...data }] of facts.entries())
      again.apply({
        tenant: 's1',
        at,
        fact: { type: index === 0 ? 'SchoolProvisioned' : 'SchoolChanged', data },
      });
    const times = ['2026-03-10T20:00:00.000Z', '2026-03-11T20:00:00.000Z'];
    expect(dates(again, ...times)).toEqual(dates(schools, ...times));
  });
});

test('a day is found fast as it is found slowly, in every time zone and over each change of clocks', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const at = fc.integer({ min: Date.parse('2020-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') });
  fc.assert(
    fc.property(zone, at, (timezone, instant) => expect(dayAt(instant, timezone)).toBe(localDay(instant, timezone))),
    {
      numRuns: 2_000,
    },
  );
});

test('a school that is recalled counts its days as one whose history was read, and goes on alike', () => {
  const zone = fc.constantFrom('UTC', 'Europe/Lisbon', 'Asia/Tokyo', 'America/New_York');
  const changes = fc.array(fc.record({ hours: fc.integer({ min: 1, max: 60 }), timezone: zone }), { maxLength: 8 });
  fc.assert(
    fc.property(zone, changes, fc.nat(8), (timezone, later, cut) => {
      const [read, before, after] = [new KnownSchools(), new KnownSchools(), new KnownSchools()];
      let time = Date.parse('2026-01-01T00:00:00.000Z');
      const facts = [{ hours: 0, timezone, currency: 'EUR' }, ...later];
      for (const [index, { hours, ...data }] of facts.entries()) {
        time += hours * 3_600_000;
        const type = index === 0 ? 'SchoolProvisioned' : 'SchoolChanged';
        const told = { tenant: 's1', at: new Date(time).toISOString(), fact: { type, data } };
        read.apply(told);
        const snapshots = (index <= cut ? before : after).apply(told);
        if (index <= cut) for (const each of snapshots) after.recall(JSON.parse(JSON.stringify(each)));
      }
      for (let hour = -48; hour < 600; hour += 5) {
        const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + hour * 3_600_000).toISOString();
        expect(after.dayOf('s1', at)).toBe(read.dayOf('s1', at));
      }
      expect(after.currencyOf('s1')).toBe('EUR');
    }),
  );
});
