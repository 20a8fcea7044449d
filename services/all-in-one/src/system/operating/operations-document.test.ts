import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../testing/drills/installation.ts';
import { docs } from '../../testing/drills/page.ts';

// The whole page is run, with four starts of real processes.
jest.setTimeout(120_000);

let machine: Installation;
beforeEach(async () => {
  machine = await Installation.prepare();
});
afterEach(() => machine.remove());

const page = await docs('operations');

describe('newcomer 28: docs/operations.md', () => {
  test('its commands do what they say: first night, backup, drill, upgrade; every alarm is explained', async () => {
    const { status, printed, told } = await machine.run(page.script);
    expect([status, told, printed]).toEqual([0, expect.anything(), expect.stringContaining('are fine.')]);
    expect(printed).toMatch(/Warning: SMTP_URL is not set/);
    expect(printed).toContain('invitation_url');
    // At the proxy's door, in the drill, and after the upgrade.
    expect(printed.match(/Harbour School/g)!.length).toBeGreaterThan(1);
    expect(printed).toContain(
      'The event logs of analytics, auth, catalog, commerce, content, learning, media, school are whole.',
    );
    expect(printed).toMatch(/withheld_since +\d{4}-/);
    expect(printed).toMatch(/client_secret/);
    const exported = await readFile(join(machine.folder, 'backups', 'harbour.ndjson'), 'utf8');
    expect(exported.trimEnd().split('\n').at(-1)).toContain('sha256');

    const { operatorUrl, operatorToken } = await machine.operator();
    const answer = await fetch(`${operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    const metrics = await answer.text();
    const alarms = [...metrics.matchAll(/^lyceum_alarm\{[^}]*name="(\w+)"[^}]*\} (\S+)/gm)];
    expect(alarms.length).toBeGreaterThan(4);
    expect(alarms.filter(([, name, value]) => value !== '0' || !page.text.includes(`| \`${name}\``))).toEqual([]);
    const unknown = [...page.text.matchAll(/\b(lyceum_[a-z0-9_]+|nodejs_[a-z0-9_]+|process_[a-z_]+)(?:\{|\b)/g)]
      .map(([, name]) => name!)
      .filter((name) => !metrics.includes(name));
    expect(unknown).toEqual([]);
  });
});
