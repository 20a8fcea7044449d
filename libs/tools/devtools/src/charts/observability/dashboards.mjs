// The dashboards of an installation, by the name of their file.
import { eventLog } from './event-log-dashboard.mjs';
import { glance } from './glance-dashboard.mjs';
import { signIn } from './sign-in-dashboard.mjs';

const dashboards = { glance, 'event-log': eventLog, 'sign-in': signIn };

/** The files of the chart that are made from them. */
export const dashboardFiles = () =>
  Object.fromEntries(
    Object.entries(dashboards).map(([name, each]) => [
      `files/dashboards/${name}.json`,
      `${JSON.stringify(each, null, 2)}\n`,
    ]),
  );
