// The acceptance of services that are releases of their own: teams upgrade and roll back theirs, and no other one notices.
import { deployments, helm, untilReady } from './deployments.mjs';
import { underLoad } from './stages.mjs';

const names = await deployments();
const ownOf = (release) => names.filter((name) => name === release || name.startsWith(`${release}-`));
const ready = async (release) => {
  for (const each of ownOf(release)) await untilReady(each);
};

await underLoad(1_000, async (stage) => {
  for (const release of ['gateway', 'auth', 'catalog']) {
    const changed = '--set=global.lyceum.settings.RATE_LIMIT_FACTOR=999';
    await stage(`${release} is upgraded by itself`, async () => {
      await helm('upgrade', release, `deploy/charts/${release}`, '--reuse-values', changed);
      await ready(release);
    });
    await stage(`${release} is rolled back by itself`, async () => {
      await helm('rollback', release);
      await ready(release);
    });
  }
});
