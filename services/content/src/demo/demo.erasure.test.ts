import { describe, expect, test } from '@jest/globals';
import { demoAccountId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { commentDecider } from '../comments/comment.ts';
import { registrationDecider } from '../registrations/registration.ts';
import { lantern, startDemo, streamsOf } from '../testing/demo-schools.ts';

describe('what an erased member of the demo wrote', () => {
  const member = demoAccountId(lantern, 'vera.lang');

  test('goes with them', async () => {
    const service = await startDemo();
    try {
      await service.seed();
      const read = async () => {
        const ids = await streamsOf(service, lantern, 'comment_');
        const all = await Promise.all(ids.map((id) => fold(service.log, commentDecider, lantern, id)));
        return all.map(({ state }) => state).find((state) => state?.author_id === member);
      };
      expect(await read()).toMatchObject({ state: 'visible', body: 'My star has nine points. I am keeping it.' });
      await service.vault.destroy(lantern, member);
      await service.seed();
      expect((await read())?.body ?? '').toBe('');
    } finally {
      await service.close();
    }
  });

  test('is not written any more once they are', async () => {
    const service = await startDemo();
    try {
      await service.vault.destroy(lantern, member);
      await service.vault.destroy(lantern, demoAccountId(lantern, 'ana.duarte'));
      await service.seed();
      const ids = await streamsOf(service, lantern, 'comment_');
      const all = await Promise.all(
        ids.map(async (id) => (await fold(service.log, commentDecider, lantern, id)).state),
      );
      expect(all.some((comment) => comment?.author_id === member)).toBe(false);
      expect(all.length).toBeGreaterThan(20);
      const registered = await streamsOf(service, lantern, 'registration_');
      const states = await Promise.all(
        registered.map(async (id) => (await fold(service.log, registrationDecider, lantern, id)).state),
      );
      expect(states.some((state) => state?.member_id === demoAccountId(lantern, 'ana.duarte'))).toBe(false);
    } finally {
      await service.close();
    }
  });
});
