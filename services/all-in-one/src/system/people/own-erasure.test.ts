import { describe, expect, test } from '@jest/globals';
import { call, patience } from '@lyceum/testkit';
import { inForce } from '../../testing/in-force.ts';
import { joinByInvitation, mailsOfErasure, mailsOfLeaving } from '../../testing/joining.ts';
import { ownSystems } from '../../testing/operating/own-systems.ts';

describe('erasure by oneself', () => {
  const { start, folder, systems } = ownSystems();

  test('kill -9 while it waits and while it is done: it waits as long as was said, then it is done once, and nothing is known', async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const { port, baseUrl } = first;
    const zoe = await joinByInvitation(first, 'zoe@leaving.test');
    const erasure = (method: string) => call(`${baseUrl}/api/account/erasure`, { method, token: zoe.token });
    const asked = await erasure('POST');
    expect([asked.status, asked.body]).toMatchObject([202, { object: 'erasure', status: 'pending' }]);
    expect(Date.parse(asked.body.erases_at) - Date.parse(asked.body.requested_at)).toBe(14 * 86_400_000);
    await systems.pop()!.kill();

    // Whatever the setting says now: it was told another time.
    const env = { ERASURE_WAIT_DAYS: '0' };
    const second = await start({ dataDir, port, env });
    expect((await erasure('GET')).body).toMatchObject({ status: 'pending', erases_at: asked.body.erases_at });
    expect((await erasure('DELETE')).status).toBe(204);
    expect([await zoe.signsIn(), (await zoe.known(second)).status]).toEqual([true, 'active']);
    const max = await joinByInvitation(second, 'max@leaving.test');
    const again = await call(`${baseUrl}/api/account/erasure`, { method: 'POST', token: max.token });
    expect([again.status, again.body.object]).toEqual([202, 'erasure']);
    await systems.pop()!.kill();

    const third = await start({ dataDir, port, env });
    const account = () => call(`${baseUrl}/api/account`, { token: max.token });
    expect((await inForce(patience, account, ({ status }) => status === 401)).status).toBe(401);
    expect(await max.known(third)).toMatchObject({ name: null, email: null, status: 'erased' });
    expect([await max.signsIn(), await zoe.signsIn()]).toEqual([false, true]);
    expect(await mailsOfErasure(dataDir, max.email)).toEqual(mailsOfLeaving);
  });
});
