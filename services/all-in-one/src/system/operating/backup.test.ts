import { describe, expect, jest, test } from '@jest/globals';
import { Client, type System, call, runSystem } from '@lyceum/testkit';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownSystems } from '../../testing/operating/own-systems.ts';

// Every test boots real processes; a busy machine needs patience.
jest.setTimeout(90_000);

describe('backup and restore', () => {
  const { systems, start, folder } = ownSystems();
  const envOf = (system: System) => ({
    DATA_DIR: system.dataDir,
    OPERATOR_PORT: new URL(system.operatorUrl).port,
    OPERATOR_TOKEN: system.operatorToken,
  });

  test('a backup of the running system brings back every course up to it, sign-in and tokens included', async () => {
    const system = await start({ dataDir: join(await folder(), 'data') });
    const client = await Client.register(system.baseUrl);
    const { access_token: token } = await client.tokens(
      'owner@lantern.test',
      system.password,
      'courses:read courses:write',
    );
    const create = (title: string) => call(`${system.baseUrl}/api/courses`, { token, json: { title, access: 'free' } });
    expect((await create('Before the backup')).status).toBe(201);
    const read = await fetch(`${system.operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${system.operatorToken}` },
    });
    const metrics = await read.text();
    expect(metrics).toContain('lyceum_token_requests_total{grant_type="authorization_code",error=""} 1');
    expect(metrics).toMatch(
      /http_server_request_duration_seconds_count\{service="catalog".*http_route="\/api\/courses".*"201"\} 1/,
    );
    const target = join(`${system.dataDir}-backups`, 'monday');
    const made = await runSystem(['backup', 'monday'], envOf(system));
    expect([made.code, made.output]).toEqual([0, expect.stringContaining(`Backed up auth, school, catalog`)]);
    expect((await create('After the backup')).status).toBe(201);
    const again = await runSystem(['backup', target], envOf(system));
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('not empty')]);
    await system.kill();
    systems.length = 0;

    const dataDir = join(await folder(), 'restored');
    const restored = await runSystem(['restore', target], { DATA_DIR: dataDir });
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Restored auth, school, catalog')]);
    const second = await start({ dataDir, port: system.port });
    const titles = (await call(`${second.baseUrl}/api/courses?limit=100`, { token })).body.data.map(
      (course: { title: string }) => course.title,
    );
    expect(titles).toContain('Before the backup');
    expect(titles).not.toContain('After the backup');
    const later = await client.tokens('owner@lantern.test', second.password, 'courses:read');
    expect((await call(`${second.baseUrl}/api/courses`, { token: later.access_token })).status).toBe(200);
  });

  test('the files of a system that does not run are backed up as they are; a full folder is never restored into', async () => {
    const dataDir = join(await folder(), 'data');
    await (await start({ dataDir })).stop();
    systems.length = 0;
    const elsewhere = await runSystem(['backup', join(await folder(), 'monday')], { DATA_DIR: dataDir });
    expect([elsewhere.code, elsewhere.output]).toEqual([1, expect.stringContaining('not inside of BACKUP_DIR')]);
    const target = join(`${dataDir}-backups`, 'monday');
    const made = await runSystem(['backup', 'monday'], { DATA_DIR: dataDir });
    expect([made.code, (await readdir(target)).sort()]).toEqual([
      0,
      [
        'analytics',
        'auth',
        'catalog',
        'commerce',
        'content',
        'learning',
        'manifest.json',
        'media',
        'school',
        'secrets',
      ],
    ]);
    const full = await runSystem(['restore', target], { DATA_DIR: dataDir });
    expect([full.code, full.output]).toEqual([1, expect.stringContaining('is not empty')]);
    const cut = await folder();
    await writeFile(join(cut, '.restoring'), '');
    const refused = await runSystem([], { DATA_DIR: cut });
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('was cut off')]);
  });

  test.each([
    [['backup'], 'needs one folder'],
    [['restore', 'a', 'b'], 'needs one folder'],
    [['burn', 'it'], 'There is no command burn'],
    [['backup', 'x', '--secrets=y'], '--secrets belongs to restore'],
  ])('the command %j is refused with its usage', async (argv, says) => {
    const { code, output } = await runSystem(argv);
    expect([code, output]).toEqual([1, expect.stringContaining(says)]);
    expect(output).toContain('Usage:');
  });
});
