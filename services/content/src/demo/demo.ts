import { demoSchoolId } from '@lyceum/contracts';
import { laneCopy } from '@lyceum/eventlog';
import type { Slice } from '@lyceum/service';
import { arrived } from '../schools/arrived.ts';
import type { ContentServicePorts } from '../ports/content-ports.ts';
import type { ContentSettings } from '../ports/content-settings.ts';
import { discuss } from './demo-commenting.ts';
import { publishPages, publishPosts } from './demo-publishing.ts';
import { announceEvents, fillWaitlists, holdEvents } from './demo-registering.ts';
import { sendForms } from './demo-submitting.ts';
import { type DemoPorts, DemoSchool } from './demo-writing.ts';

const slugs = ['lantern-craft', 'north-quay'] as const;

/** What there is to read of each school, then what people did with it. */
const history = [announceEvents, publishPages, publishPosts, discuss, sendForms, holdEvents, fillWaitlists] as const;

const inEach = (ports: DemoPorts, work: (school: DemoSchool) => Promise<void>): Promise<unknown> =>
  Promise.all(
    slugs.map(async (slug) => {
      const school = demoSchoolId(slug);
      // What is written there follows from what its school is.
      await arrived(school, ports);
      return work(new DemoSchool(ports, slug, await laneCopy(ports.log, school)));
    }),
  );

/** The part of the demo schools that this service keeps, written by the commands that clients use. */
export const demoSlice: Slice<ContentSettings, ContentServicePorts> = {
  name: 'demo',
  operations: [],
  seedDemoHistory: async (_demo, ports) =>
    void (await inEach(ports, async (school) => {
      for (const write of history) await write(school);
    })),
};
