import { addedRoutes, addressSetting, routeEntries, routesFault } from '@lyceum/contracts';
import { z } from 'zod';

/** The setting that leads paths to services which the gateway does not know by itself. */
export const routeSettings = {
  ROUTES: z
    .string()
    .superRefine((text, context) => {
      const fault = routesFault(text);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    })
    .transform(routeEntries)
    .optional()
    .meta({
      description:
        'Paths beyond those of the services that come with Lyceum, each with the service that answers there; <SERVICE>_URL says where that is. For the gateway, and for auth, which exports what services keep about people',
    }),
} as const;

/** The services that ROUTES names, as it stands in the environment or as it was read; none where it cannot be used. */
export function routedServices(value: unknown): readonly string[] {
  if (typeof value === 'string') return routesFault(value) === undefined ? routedServices(routeEntries(value)) : [];
  return [...new Set(addedRoutes(value as readonly string[] | undefined).values())];
}

/** What is wrong with ROUTES beside the settings that there are: variable and what would do. */
export function routeProblems(
  env: Readonly<Record<string, unknown>>,
  taken: (variable: string) => boolean,
): [variable: string, expected: string][] {
  const service = routedServices(env['ROUTES']).find((each) => taken(addressSetting(each)));
  if (service === undefined) return [];
  return [['ROUTES', `another service than ${service}: ${addressSetting(service)} is a setting of its own`]];
}
