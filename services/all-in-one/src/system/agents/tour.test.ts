import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Person, type Place, approve, codeOf, describeTopologiesIfLong } from '@lyceum/testkit';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tour of the README, run as printed by a real shell; a person signs in where the reader would. */
await describeTopologiesIfLong('README', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ system, close } = await open());
  }, 400_000);
  afterAll(() => close());

  test('five minutes with curl do what they say', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../../../README.md'), 'utf8');
    const script = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { env: { ...process.env, BASE: system.baseUrl } });
    let printed = '';
    let asked = false;
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const url = /^http\S+\/oauth\/authorize\?\S+$/m.exec(printed)?.[0];
      if (url === undefined || asked) return;
      asked = true;
      void approve(new Person(), new URL(url), 'owner@lantern.test', system.password).then((landed) =>
        shell.stdin.end(`${codeOf(landed)}\n`),
      );
    });
    let complaints = '';
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const status = await new Promise((resolve) => shell.on('close', resolve));

    expect([status, complaints]).toEqual([0, '']);
    expect(printed).toContain('"view":"anonymous"');
    expect(printed).toContain(`${system.baseUrl}/api/oauth/register`);
    expect(printed).toMatch(/^published$/m);
    expect(printed).toMatch(/^Paper marbling$/m);
    expect(printed).toMatch(/HTTP\/1.1 401/);
    expect(printed).toContain('"error":"invalid_token"');
  }, 60_000);
});
