import type { ResolveHook } from 'node:module';

/** Gives the school service another @lyceum/service: the present one, with one slice more in every service. */
export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === '@lyceum/service' && context.parentURL?.endsWith('/services/school/dist/module.js')
    ? { url: new URL('./novel-service.js', import.meta.url).href, format: 'module', shortCircuit: true }
    : next(specifier, context);
