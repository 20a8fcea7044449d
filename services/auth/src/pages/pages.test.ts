import { describe, expect, test } from '@jest/globals';
import { formsOf } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { gallery, schoolIn } from '../testing/pages/gallery.ts';
import { consentModel, consentScope, errorModel, signInModel } from '../testing/pages/models.ts';
import { consentPage } from './consent-page.ts';
import { errorPage } from './error-page.ts';
import { pageHeaders } from './layout/page-headers.ts';
import type { ConsentModel } from './models/page-models.ts';
import { signInPage } from './sign-in-page.ts';
import { english } from './texts/en.ts';

const base = 'https://school.test/oauth/authorize';
const fieldsOf = (page: string) => formsOf(page, base)[0]?.fields ?? [];
const tags = (page: string, name: string): readonly string[] =>
  [...page.matchAll(new RegExp(`<${name}\\b[^>]*>`, 'g'))].map(([tag]) => tag);
const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
const textOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&lt;', '<');

const hostile = "\"><script>alert(1)</script><img src=x onerror='y'>";
const pages = {
  'sign-in': signInPage(signInModel, english),
  'sign-in with a problem': signInPage({ ...signInModel, email: 'a@b.test', problem: 'No.' }, english),
  'sign-in with hostile texts': signInPage(
    {
      school: { name: hostile },
      form: { action: hostile, hidden: { [hostile]: hostile } },
      client: { name: hostile, redirectHost: hostile },
      email: hostile,
      problem: hostile,
    },
    english,
  ),
  consent: consentPage(consentModel, english),
  'consent with hostile texts': consentPage(
    {
      ...consentModel,
      client: { name: hostile, redirectHost: hostile },
      account: { name: hostile, email: hostile },
      problem: hostile,
    },
    english,
  ),
  error: errorPage(errorModel, english),
  'error without a school': errorPage({ title: hostile, message: hostile, code: hostile }, english),
};

test.each(Object.entries(gallery))('the page %s leads to its school', (_path, shown) => {
  const page = shown(english, schoolIn(undefined));
  expect(page).toMatch(/<header>\s*<a class="home" href="\/">/);
});

test.each(['/notice', '/error', '/signed-out'])('the page %s, which ends something, says where to go', (path) => {
  const main = gallery[path]!(english, schoolIn(undefined)).split('<main')[1];
  expect(main).toMatch(/<a href="\/">Go to <bdi>Lantern Craft School<\/bdi><\/a>/);
});

describe.each(Object.entries(pages))('the page: %s', (_name, page) => {
  test('has no script, no event handler, no inline style, and asks no other origin for anything', () => {
    expect(page).not.toMatch(/<(script|img|iframe|object|embed|base|svg[^>]*\sxlink)\b/i);
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/gi)) {
      expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\s(on\w+|style)\s*=/i);
      expect(attribute(tag, 'src')).toBeUndefined();
      expect(attribute(tag, 'href') ?? '#').toMatch(/^(#|\/$|\/oauth\/|data:image\/svg\+xml,)/);
    }
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('is a whole document: language, title, viewport, one main landmark, one skip link to it', () => {
    expect(page).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page).toContain('content="width=device-width, initial-scale=1"');
    expect(tags(page, 'main')).toHaveLength(1);
    expect(page).toContain('<a class="skip" href="#main">');
  });

  test('has one first-level heading and no level left out', () => {
    expect([...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => level)).toEqual(['1']);
  });

  test('labels every input that a person sees, and uses every id once', () => {
    for (const input of tags(page, 'input').filter((tag) => attribute(tag, 'type') !== 'hidden')) {
      const id = attribute(input, 'id');
      const wrapped =
        page
          .slice(0, page.indexOf(input))
          .split(/<label[^>]*>/)
          .at(-1)
          ?.includes('</label>') === false;
      expect(id === undefined ? wrapped : page.includes(`<label for="${id}">`)).toBe(true);
    }
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/\saria-describedby="([^"]+)"/g)) expect(ids).toContain(id);
  });

  test('carries exactly the style that the policy allows', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(pageHeaders()['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'`);
  });
});

describe('the sign-in page', () => {
  test('posts e-mail and password, and its hidden fields as they were given', () => {
    const [form] = formsOf(pages['sign-in'], base);
    expect(form?.action).toBe('https://school.test/answer');
    expect(form?.fields).toEqual([...Object.entries(signInModel.form.hidden), ['email', ''], ['password', '']]);
    expect(pages['sign-in']).toContain('<form method="post" action="/answer">');
  });

  test('tells a password manager what its fields are', () => {
    const [email, password] = tags(pages['sign-in'], 'input').filter((tag) => attribute(tag, 'type') !== 'hidden');
    expect(email).toMatch(/type="email"[\s\S]*autocomplete="username"/);
    expect(password).toMatch(/type="password"[\s\S]*autocomplete="current-password"/);
  });

  test('keeps the e-mail after a failure, never a password, and ties the problem to both fields', () => {
    const page = pages['sign-in with a problem'];
    expect(fieldsOf(page).slice(-2)).toEqual([
      ['email', 'a@b.test'],
      ['password', ''],
    ]);
    expect(page).toContain('<p class="problem" id="problem" role="alert">No.</p>');
    expect(page.match(/aria-invalid="true" aria-describedby="problem"/g)).toHaveLength(2);
    expect(pages['sign-in']).not.toMatch(/aria-invalid="|role="alert"/);
  });

  test('puts the cursor into the first field that is left to fill', () => {
    const focused = (page: string) => tags(page, 'input').filter((tag) => /\sautofocus\b/.test(tag));
    expect(focused(pages['sign-in']).map((tag) => attribute(tag, 'name'))).toEqual(['email']);
    expect(focused(pages['sign-in with a problem']).map((tag) => attribute(tag, 'name'))).toEqual(['password']);
  });

  test('refuses a hidden field that would answer in the person’s place', () => {
    const form = { action: '/answer', hidden: { email: 'other@lantern.test' } };
    expect(() => signInPage({ ...signInModel, form }, english)).toThrow('the hidden field email');
  });
});

describe('the consent page', () => {
  test('has one ticked checkbox per scope, and its hidden fields as they were given', () => {
    const asked = consentModel.scopes.map(({ name }) => ['scope', name]);
    expect(fieldsOf(pages.consent)).toEqual([...Object.entries(consentModel.form.hidden), ...asked]);
  });

  test('shows what reads and what writes in fieldsets of their own, each with a legend', () => {
    const sets = [...pages.consent.matchAll(/<fieldset class="(\w+)"[\s\S]*?<\/fieldset>/g)];
    const names = sets.map(([set, kind]) => [kind, ...tags(set, 'input').map((tag) => attribute(tag, 'value'))]);
    expect(names).toEqual([
      ['read', 'openid', 'courses:read'],
      ['write', 'courses:write', 'account:write'],
    ]);
    expect(sets.every(([set]) => set.includes('</legend>'))).toBe(true);
    const readOnly: ConsentModel = { ...consentModel, scopes: [consentScope('courses:read')] };
    expect(tags(consentPage(readOnly, english), 'fieldset')).toHaveLength(1);
  });

  test('RFC 8252 §8.6: names the client as unverified, its redirect host and port, and who is signed in', () => {
    const text = textOf(pages.consent);
    expect(text).toMatch(
      /An app that calls itself “ *Claude Code *” asks to use your account at *Lantern Craft School/,
    );
    expect(text).toContain('Nobody has verified it.');
    expect(text).toMatch(/Your answer goes to 127\.0\.0\.1:41873 A program on this device\./);
    expect(text).toMatch(/Signed in as Lena Okafor lecturer@lantern\.test/);
    const web = { ...consentModel, client: { name: 'Bridge', redirectHost: 'bridge.example' } };
    expect(textOf(consentPage(web, english))).toMatch(/bridge\.example Allow only if you know this address\./);
  });

  test('MCP authorization: names the host that describes the client, and warns that a program on the device proves nothing', () => {
    const client = { name: 'Agent', describedAt: 'agent.example:8443' };
    const onDevice = { ...consentModel, client: { ...client, redirectHost: 'localhost:1' } };
    const text = textOf(consentPage(onDevice, english));
    expect(text).toMatch(/localhost:1 A program on this device\. Any program here can pretend to be this app/);
    expect(text).toMatch(/Describes itself at agent\.example:8443/);
    const away = textOf(consentPage({ ...onDevice, client: { ...client, redirectHost: 'agent.example' } }, english));
    expect(away).toMatch(/Your answer goes to agent\.example Allow only if you know this address\./);
    expect(textOf(pages.consent)).not.toContain('Describes itself');
  });

  test('offers to deny and to approve, and gives Enter no default', () => {
    const buttons = tags(pages.consent, 'button');
    expect(buttons.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')])).toEqual([
      [undefined, undefined],
      ['decision', 'deny'],
      ['decision', 'approve'],
    ]);
    expect(buttons[0]).toBe('<button type="submit" formmethod="dialog" hidden>');
  });

  test('shows a problem as an alert that takes the focus', () => {
    const page = consentPage({ ...consentModel, problem: 'Please decide again.' }, english);
    expect(page).toContain('role="alert" tabindex="-1" autofocus>Please decide again.</p>');
  });

  test('says so when nothing is asked for', () => {
    const page = consentPage({ ...consentModel, scopes: [] }, english);
    expect(textOf(page)).toContain('The app asks for no permission.');
    expect(tags(page, 'fieldset')).toEqual([]);
  });

  test.each(['scope', 'decision'])('refuses a hidden field %s, which no unticked box could take back', (name) => {
    const form = { action: '/answer', hidden: { [name]: 'account:write' } };
    expect(() => consentPage({ ...consentModel, form }, english)).toThrow(`the hidden field ${name}`);
  });
});

describe('the error page', () => {
  test('shows title, message, code and request, and no form', () => {
    const text = textOf(pages.error);
    for (const part of [errorModel.title, errorModel.message, errorModel.code, errorModel.requestId])
      expect(text).toContain(part);
    expect(tags(pages.error, 'form')).toEqual([]);
  });

  test('shows no empty list when there is neither code nor request', () => {
    const page = errorPage({ title: 'Away', message: 'Back soon.' }, english);
    expect(page).not.toMatch(/<dl\b|<header\b/);
    expect(page).toContain('<title>Away</title>');
    expect(tags(errorPage({ title: 'Away', message: 'Back soon.', requestId: 'r1' }, english), 'dl')).toHaveLength(1);
  });
});
