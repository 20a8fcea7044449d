import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { indexPage } from './index-page.ts';

const page = (name: string) =>
  indexPage({ name, baseUrl: 'https://school.example', docsUrl: 'https://docs.example/?a=1&b=2' });

describe('index page', () => {
  test('the name of a school is text, whatever stands in it', () => {
    const html = page(`<script>alert("1")</script> & 'Sons'`).body.toString();
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;');
  });

  test('it names the documents of the school', () => {
    const html = page('School').body.toString();
    for (const path of ['/openapi.json', '/.well-known/openid-configuration', '/.well-known/oauth-protected-resource'])
      expect(html).toContain(`href="https://school.example${path}"`);
    expect(html).toContain('href="https://docs.example/?a=1&amp;b=2"');
  });

  test('its content security policy allows exactly the style it has, and no script, frame or form', () => {
    const { body, bodyHeaders } = page('School');
    const style = /<style>([^]*)<\/style>/.exec(body.toString())![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(bodyHeaders['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  test('RFC 8631 §4.2: its Link header leads to the API description', () => {
    expect(page('School').bodyHeaders['Link']).toContain('<https://school.example/openapi.json>; rel="service-desc"');
  });
});
