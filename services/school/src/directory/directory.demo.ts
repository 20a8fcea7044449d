import { demoSchoolId } from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { type Demo, StartRefused } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { enter, settle } from './provisioning.ts';
import { schoolDecider } from '../school/school.ts';
import type { SchoolProfile } from '../school/school.events.ts';

const addressOf = (base_url: string) => ({ base_url, host: new URL(base_url).host });

/** The demo schools, as of where this process listens. */
const demoSchools = ({ baseUrl, port }: Demo): readonly SchoolProfile[] => [
  {
    slug: 'lantern-craft',
    name: 'Lantern Craft School',
    ...addressOf(baseUrl),
    currency: 'USD',
    timezone: 'Europe/Lisbon',
    locale: 'en',
  },
  {
    slug: 'north-quay',
    name: 'North Quay Music',
    ...addressOf(`http://northquay.localhost:${port}`),
    currency: 'JPY',
    timezone: 'Asia/Tokyo',
    locale: 'en',
  },
];

/** Opens the sign-up of a demo school, once: a school that closes it again stays closed. */
async function openSignUp({ log, clock }: Ports, id: string): Promise<void> {
  const command = { type: 'SetSignUp', sign_up: 'open' } as const;
  const commitId = uuidv5('demo-sign-up', id);
  const meta = { actor: 'system' };
  await execute(log, schoolDecider, { tenant: id, stream: id, command, at: isoTime(clock.now()), meta, commitId });
}

/** Provisions the demo schools, and moves them when this start listens elsewhere. */
export async function seedSchools(demo: Demo, ports: Ports): Promise<void> {
  const meta = { actor: 'system' };
  const seed = async (profile: SchoolProfile) => {
    const id = demoSchoolId(profile.slug);
    const { host, base_url } = profile;
    const commands = [
      { type: 'AdmitSchool', school: id, profile } as const,
      { type: 'RehostSchool', host, base_url } as const,
    ];
    for (const command of commands) {
      const commit = { commitId: ports.ids.next('commit').slice('commit_'.length) };
      const entered = await enter(ports, id, command, { meta, commit });
      if (isRejection(entered))
        throw new StartRefused(`The demo school ${profile.name} cannot be at ${base_url}: ${entered.reason}`, [
          '  Choose another PORT or BASE_URL, or another DATA_DIR',
        ]);
    }
    await settle(ports, id);
    await openSignUp(ports, id);
  };
  await Promise.all(demoSchools(demo).map(seed));
}
