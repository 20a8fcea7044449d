// npm run bench:peers [-- NAME…]: installs what ours is measured beside (npm run bench -- peers): packages of npm in
// libs/tools/bench/peers, nginx, Keycloak and Ory Hydra in the cache of engines (LYCEUM_ENGINES, else ~/.cache/lyceum-engines); with
// names only those that begin so. What is there is kept. Exit code 1 when something is missing: its side is not measured then.
import { installAll } from './engines/installing.mjs';
import { installHydra, installKeycloak, installNginx, installPackages } from './engines/peers.mjs';

const peers = [
  ['nginx', 'Debian: apt-get install nginx, or an nginx of your own on the PATH', installNginx],
  ['packages', 'needs npm', installPackages],
  ['keycloak', 'needs Java 17 or newer, Maven (mvn) and tar on the PATH', installKeycloak],
  ['hydra', 'needs Go 1.24 or newer on the PATH; runs on a PostgreSQL of npm run engines', installHydra],
];

const { missing } = await installAll(peers, process.argv.slice(2));
process.exitCode = missing > 0 ? 1 : 0;
