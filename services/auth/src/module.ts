import { routesOf, servicesOfPeople } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';
import { authEndpoints } from './app.ts';
import { authServicePorts } from './auth-service-ports.ts';
import { describeAuth } from './openapi/openapi.ts';
import { authSettings } from './settings.ts';
import { authSlices } from './slices.ts';

/** The authorization server: clients, sign-in, consent, tokens and keys of every school. */
export const auth = domainModule({
  name: 'auth',
  routes: routesOf('auth'),
  // What they keep about people: exports are made of it.
  asks: servicesOfPeople,
  asksEvery: true,
  settings: authSettings,
  slices: authSlices,
  ownPorts: authServicePorts,
  endpoints: { serve: authEndpoints, describe: describeAuth },
});
