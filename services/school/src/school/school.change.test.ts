import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import { until } from '@lyceum/testkit';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
beforeEach(async () => {
  all = await startMembers();
});
afterEach(() => all.close());

const read = (as: Role | 'visitor' = 'owner') => all.call('GET', '/api/school', { as });
const patch = (body: unknown, as: Role | 'visitor' = 'owner', headers?: Record<string, string>) =>
  all.call('PATCH', '/api/school', { as, body, ...(headers ? { headers } : {}) });
const told = async (type: string) =>
  (await all.schools.heard()).filter(({ fact }) => fact.type === type).map(({ fact }) => fact.data);

const everything = {
  name: 'Loom & Co',
  tagline: 'Weaving by hand',
  logo: 'https://cdn.example/logo.png',
  favicon: 'https://cdn.example/icon.png',
  locale: 'pt-PT',
  timezone: 'Asia/Tokyo',
  currency: 'JPY',
  contact_email: 'hello@loom.example',
  social_links: [{ label: 'Video', url: 'https://video.example/loom' }],
  legal: { terms: 'https://loom.example/terms', privacy: null, imprint: null },
  navigation: [{ label: 'Courses', href: '/courses' }],
};
const settings = {
  student_email_to_lecturers: true,
  comment_policy: 'open',
  tax: { inclusive: false, rate_bp: 2300 },
  suspend_access_on_dispute: true,
  invoice_details: 'Loom Ltd\nLisbon',
  notifications: { orders: false, comments: true, submissions: true },
};

describe('PATCH /api/school', () => {
  test('changes everything that a school says of itself; visitors see it but for how it is run', async () => {
    const before = await read();
    expect(before.body).toMatchObject({ status: 'active', domains: [], limits: { domains: 20 }, tagline: null });
    const changed = await patch({ ...everything, settings });
    expect([changed.status, changed.body.version]).toEqual([200, before.body.version + 1]);
    expect(changed.body).toMatchObject({ ...everything, settings, view: 'staff' });
    expect((await read()).body).toEqual(changed.body);
    const seen = (await read('visitor')).body;
    expect(seen).toMatchObject(everything);
    for (const hidden of ['settings', 'domains', 'limits', 'slug', 'status', 'suspended_for', 'is_currency_locked'])
      expect(seen).not.toHaveProperty(hidden);
    expect((await read('lecturer')).body).not.toHaveProperty('settings');
  });

  test('leaves what is not named, also inside of objects, and clears by null', async () => {
    await patch({ ...everything, settings });
    const { body } = await patch({
      tagline: null,
      contact_email: null,
      navigation: null,
      legal: { imprint: 'https://loom.example/imprint' },
      settings: { tax: { rate_bp: 600 }, invoice_details: null },
    });
    expect(body).toMatchObject({
      ...everything,
      tagline: null,
      contact_email: null,
      navigation: [],
      legal: { ...everything.legal, imprint: 'https://loom.example/imprint' },
      settings: { ...settings, tax: { inclusive: false, rate_bp: 600 }, invoice_details: null },
    });
  });

  test('changes nothing by what is so already: no event, the same version', async () => {
    const { body } = await patch(everything);
    expect((await patch(everything)).body.version).toBe(body.version);
    expect(await told('SchoolChanged')).toHaveLength(1);
  });

  test('tells other services what is different, but for addresses and what only the staff is concerned with', async () => {
    await patch({ name: 'Other', contact_email: 'x@loom.example', settings: { comment_policy: 'open' } });
    await patch({
      contact_email: 'y@loom.example',
      settings: { invoice_details: 'Z', notifications: { orders: false } },
    });
    expect(await told('SchoolChanged')).toEqual([{ name: 'Other', comment_policy: 'open' }]);
    expect(JSON.stringify(await all.schools.heard())).not.toMatch(/@loom\.example/);
  });

  test.each([
    [{ timezone: 'Lisbon' }, 'timezone'],
    [{ locale: 'pt_PT' }, 'locale'],
    [{ currency: 'ABC' }, 'currency'],
    [{ name: '' }, 'name'],
    [{ logo: 'http://cdn.example/a.png' }, 'logo'],
    [{ favicon: 'upload_00000000-0000-7000-8000-000000000009' }, 'favicon'],
    [{ contact_email: 'nobody' }, 'contact_email'],
    [{ navigation: [{ label: 'Elsewhere', href: '//evil.example' }] }, 'navigation.0.href'],
    [{ navigation: [{ label: 'Script', href: 'javascript:alert(1)' }] }, 'navigation.0.href'],
    [{ social_links: [{ label: 'X', url: 'ftp://x.example' }] }, 'social_links.0.url'],
    [{ settings: { tax: { rate_bp: 10_001 } } }, 'settings.tax.rate_bp'],
    [{ settings: { comment_policy: 'none' } }, 'settings.comment_policy'],
  ])('refuses %j by the path of what is wrong', async (body, path) => {
    const { status, body: refused } = await patch(body);
    expect([status, refused.error, refused.details?.[0].path]).toEqual([422, 'validation_failed', path]);
  });

  test('If-Match counts for the whole school: who may sign up is part of it', async () => {
    const { body, headers } = await read();
    const etag = headers.get('etag')!;
    expect((await patch({ tagline: 'One' }, 'owner', { 'if-match': etag })).status).toBe(200);
    const late = await patch({ tagline: 'Two' }, 'owner', { 'if-match': etag });
    expect([late.status, late.body.error]).toEqual([412, 'precondition_failed']);
    const at = `"${body.version + 1}"`;
    const set = { sign_up: 'open' };
    const signUp = await all.call('PUT', '/api/school/sign_up', { body: set, headers: { 'if-match': at } });
    expect([signUp.status, signUp.body.version]).toEqual([200, body.version + 2]);
    expect((await patch({ tagline: 'Two' }, 'owner', { 'if-match': at })).status).toBe(412);
    expect((await read()).body.tagline).toBe('One');
  });

  test('of two who change the same version at once, one is told so', async () => {
    const { headers } = await read();
    const match = { 'if-match': headers.get('etag')! };
    const both = await Promise.all(['One', 'Two'].map((tagline) => patch({ tagline }, 'owner', match)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('an admin changes all but the currency, and nobody changes it once something was sold', async () => {
    expect((await patch({ tagline: 'By an admin', currency: 'EUR' }, 'admin')).status).toBe(200);
    const refused = await patch({ currency: 'USD' }, 'admin');
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
    const lock = () =>
      all.schools.call('POST', `/internal/schools/${all.school}/lock-currency`, { school: all.school });
    expect((await lock()).body).toMatchObject({ is_currency_locked: true });
    expect((await lock()).status).toBe(200);
    const late = await patch({ currency: 'USD' });
    expect([late.status, late.body.error]).toEqual([409, 'currency_locked']);
    expect((await patch({ currency: 'EUR', tagline: 'As before' })).status).toBe(200);
    expect((await read()).body).toMatchObject({ currency: 'EUR', is_currency_locked: true });
  });

  test('its currency stays as it is from the first order on', async () => {
    const { channel } = all.schools.ports;
    const fact = {
      id: 'f1',
      type: 'OrderPlaced',
      schema: 1,
      subject: 'order_1',
      version: 1,
      data: { order_id: 'order_1' },
    };
    const place = { source: 'commerce', lane: 0, position: 1, previous: 0, at: '2026-01-05T08:00:00.000Z' };
    await channel.publish([{ ...place, tenant: all.school, facts: [fact] }]);
    await until(async () => (await read()).body.is_currency_locked);
    expect((await patch({ currency: 'USD' })).body.error).toBe('currency_locked');
  });

  test('its own addresses are gone with the key of the profile', async () => {
    await patch({ contact_email: 'hello@loom.example', settings: { invoice_details: 'Ada Byron' } });
    await all.on.vault.destroy(all.school, 'profile');
    const { body } = await read();
    expect([body.contact_email, body.settings.invoice_details]).toEqual([null, null]);
  });
});

describe('a school that is not open', () => {
  const operate = (verb: string, body?: unknown) =>
    all.schools.call('POST', `/internal/schools/${all.school}/${verb}`, {
      school: all.school,
      ...(body ? { body } : {}),
    });
  const suspend = () => operate('suspend', { reason: 'Invoices are open' });
  const codes = async (calls: readonly Promise<{ status: number; body: { error?: string } }>[]) =>
    (await Promise.all(calls)).map(({ status, body }) => body.error ?? status);

  test('suspended: its staff reads, nobody writes, visitors and members are told to come back', async () => {
    expect((await suspend()).body).toMatchObject({ status: 'suspended', suspended_for: 'Invoices are open' });
    expect((await suspend()).status).toBe(200);
    const roles = ['visitor', 'member', 'lecturer', 'admin', 'owner'] as const;
    const away = 'school_suspended';
    expect(await codes(roles.map((role) => read(role)))).toEqual([away, away, 200, 200, 200]);
    expect(await codes(roles.map((role) => patch({ tagline: 'X' }, role)))).toEqual([
      'access_denied',
      'access_denied',
      'access_denied',
      away,
      away,
    ]);
    const visited = await read('visitor');
    expect([visited.status, visited.headers.get('retry-after')]).toEqual([503, '3600']);
    expect((await read()).body).toMatchObject({ status: 'suspended', suspended_for: 'Invoices are open' });
  });

  test('resumed: everything is as before, in every service', async () => {
    await suspend();
    expect((await operate('resume')).body).toMatchObject({ status: 'active', suspended_for: null });
    expect(await codes([read('visitor'), patch({ tagline: 'Back' })])).toEqual([200, 200]);
    expect([await told('SchoolSuspended'), await told('SchoolResumed')]).toEqual([[{}], [{}]]);
  });

  test('closed: by an owner who names its slug, for ever', async () => {
    const close = (slug: string, as: Role = 'owner') => all.call('POST', '/api/school/close', { as, body: { slug } });
    const wrong = await close('loon');
    expect([wrong.status, wrong.body.details[0].path]).toEqual([422, 'slug']);
    expect((await close('loom', 'admin')).body.error).toBe('access_denied');
    const closed = await close('loom');
    expect([closed.status, closed.body.status]).toEqual([200, 'closed']);
    expect(await told('SchoolClosed')).toEqual([{}]);
    expect(await codes([read('visitor'), read('member'), read(), patch({ tagline: 'X' }), close('loom')])).toEqual([
      'school_closed',
      'school_closed',
      200,
      'school_closed',
      'school_closed',
    ]);
    expect((await read('visitor')).status).toBe(410);
    expect((await operate('resume')).body.error).toBe('invalid_state');
    expect((await suspend()).body.error).toBe('invalid_state');
  });

  test('of a school that there is not, the operator is told', async () => {
    for (const verb of ['resume', 'lock-currency'])
      expect(
        (await all.schools.call('POST', `/internal/schools/school_none/${verb}`, { school: all.school })).status,
      ).toBe(404);
  });
});

describe('who sells, for mails and invoices', () => {
  const seller = () => all.schools.started.answer?.({ kind: 'seller', school: all.school });

  test('is told to services of the installation, as of now', async () => {
    expect(await seller()).toMatchObject({ details: null, locale: expect.any(String), timezone: expect.any(String) });
    await patch({ ...everything, settings });
    expect(await seller()).toEqual({
      name: 'Loom & Co',
      details: 'Loom Ltd\nLisbon',
      base_url: expect.stringMatching(/^https?:/),
      locale: 'pt-PT',
      timezone: 'Asia/Tokyo',
    });
    expect(await all.schools.started.answer?.({ kind: 'seller', school: 'school_nobody' })).toBeUndefined();
  });
});
