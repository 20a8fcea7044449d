// The values of the chart that leads hosts to the gateway.
import { flag, group, list, ofKubernetes, ofLibrary, text } from './schema-parts.mjs';
import { shared } from './shared-values.mjs';

const host = { type: 'string', pattern: '^(\\*\\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]+$' };

export const tenancySchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart tenancy',
  ...group('Values of the chart tenancy', {
    global: shared,
    kind: text('HTTPRoute (Gateway API), or Ingress', 'HTTPRoute', { enum: ['HTTPRoute', 'Ingress'] }),
    hosts: list(
      'Hosts that lead to the gateway: one wildcard host for all schools below it, and hosts of schools with a domain of their own. The gateway knows which school a host belongs to',
      host,
    ),
    parentRefs: list('Gateways that the HTTPRoute belongs to, as in "parentRefs" of an HTTPRoute', { type: 'object' }),
    gateway: group('A Gateway of this installation, where none is shared', {
      enabled: flag('Whether the chart makes one', false),
      className: text('Its GatewayClass'),
      certificates: list('Names of existing Secrets with the certificates of the hosts', { type: 'string' }),
      annotations: ofKubernetes('Annotations, e.g. for cert-manager', 'object'),
    }),
    ingress: group('The Ingress', {
      className: text('Its IngressClass; empty = that of the cluster'),
      certificate: text('Name of an existing Secret with the certificate of the hosts; empty = no TLS here'),
      annotations: ofKubernetes('Annotations for the controller, e.g. its largest body', 'object'),
    }),
    lib: ofLibrary,
  }),
  required: ['global'],
});
