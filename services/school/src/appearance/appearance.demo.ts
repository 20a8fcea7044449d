import { demoSchoolId } from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { type AppearanceCommand, appearanceDecider, appearanceStream, firstLook } from './appearance.ts';
import type { Look } from './appearance.events.ts';

/** Two schools that nobody takes for each other. */
const looks: Readonly<Record<string, Look>> = {
  'lantern-craft': {
    ...firstLook,
    palette: { accent: '#9a3f12', background: '#f8f1e7', surface: '#fffdf9', text: '#2a1d14' },
    typography: 'serif',
    layout: 'banner',
    logo_text: 'Lantern Craft',
  },
  'north-quay': {
    ...firstLook,
    palette: { accent: '#2447c8', background: '#eef2f9', surface: '#ffffff', text: '#121a2e' },
    typography: 'rounded',
    layout: 'card',
    logo_text: 'North Quay',
  },
};

/** Publishes the looks of the demo schools, once. */
export async function seedLooks({ log, clock }: Pick<Ports, 'log' | 'clock'>): Promise<void> {
  for (const [slug, look] of Object.entries(looks)) {
    const tenant = demoSchoolId(slug);
    // The names in derived ids are stored, and stay as they are.
    const commands: Readonly<Record<string, AppearanceCommand>> = {
      SaveDraft: { type: 'SaveDraft', look },
      Publish: { type: 'PublishDraft' },
    };
    for (const [step, command] of Object.entries(commands)) {
      const commitId = uuidv5('demo-look', slug, step);
      if (await log.find(tenant, commitId)) continue;
      const at = isoTime(clock.now());
      const target = { tenant, stream: appearanceStream, at, meta: { actor: 'system' }, commitId };
      const done = await execute(log, appearanceDecider, { ...target, command });
      if (isRejection(done)) throw new Error(`the look of ${slug}: ${done.reason}`);
    }
  }
}
