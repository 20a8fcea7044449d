import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { lantern } from '../../testing/pages/looks.ts';
import { type TestAuth, emailOf, startAuth, tellOfSchool } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const styleOf = (page: string): string => /<style>([\s\S]*?)<\/style>/.exec(page)![1]!;
const visit = (headers: Record<string, string> = {}, more = {}) =>
  fetch(client.start('openid', more).url, { headers, redirect: 'manual' });

describe('a page of a school', () => {
  test('wears the look that the school has published, in a style that its policy allows', async () => {
    const before = await (await visit()).text();
    await tellOfSchool(auth.ports, auth.school.id, { type: 'AppearancePublished', data: { revision: 1, ...lantern } });
    const response = await visit();
    const page = await response.text();
    expect(page).toContain('<bdi>Lantern Craft</bdi>');
    expect(page).toContain('data-layout="banner"');
    expect(styleOf(page)).toContain(`--accent:${lantern.palette.accent};`);
    expect(styleOf(before)).not.toContain(lantern.palette.accent);
    const hash = createHash('sha256').update(styleOf(page)).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}';`);
    await tellOfSchool(auth.ports, auth.school.id, {
      type: 'SchoolMoved',
      data: { host: 'x', base_url: auth.school.url },
    });
    expect(styleOf(await (await visit()).text())).toBe(styleOf(page));
  });

  test('OIDC Core §3.1.2.1: speaks the language of ui_locales, also after a wrong password, else the browser’s', async () => {
    expect(await (await visit({ 'accept-language': 'pt-BR,en;q=0.5' })).text()).toContain('<html lang="pt" dir="ltr">');
    const person = new Person();
    const page = await person.visit(client.start('openid', { ui_locales: 'tlh de' }).url);
    expect(page.text).toContain('<html lang="de" dir="ltr">');
    const again = await person.submit(page, { email: emailOf('owner'), password: 'falsch' });
    expect(again.text).toContain('E-Mail-Adresse oder Passwort stimmt nicht.');
  });

  test('says in the reader’s language why something is refused, and keeps the code', async () => {
    const url = `${auth.school.url}/oauth/authorize?client_id=nobody&ui_locales=ko`;
    const page = await (await fetch(url)).text();
    expect(page).toContain('이 학교에 등록되지 않은 앱입니다.');
    expect(page).toContain('<code>invalid_request</code>');
  });
});
