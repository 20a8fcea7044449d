// Parts of the schemas of values: JSON Schema draft-07, each with a description and a default.

/** @typedef {Readonly<Record<string, any>>} Schema */

/** An object that has these values and no others. */
export const group = (description, properties, more = {}) => ({
  type: 'object',
  description,
  additionalProperties: false,
  properties,
  ...more,
});

export const text = (description, value = '', more = {}) => ({ type: 'string', description, default: value, ...more });
export const flag = (description, value) => ({ type: 'boolean', description, default: value });
export const whole = (description, value, minimum, maximum) => ({
  type: 'integer',
  description,
  default: value,
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
export const list = (description, items, value = []) => ({ type: 'array', description, default: value, items });
/** Whatever Kubernetes takes there: the API server checks it. */
export const ofKubernetes = (description, type) => ({ type, description, default: type === 'array' ? [] : {} });

/** What Helm puts beside the values of a chart: those of the library. */
export const ofLibrary = {
  type: 'object',
  additionalProperties: false,
  properties: { addressed: { type: 'array', items: { type: 'string' } }, global: { type: 'object' } },
};

/** Settings that the chart decides by itself, and those that belong into the Secret. */
const decided = ['DATA_DIR', 'DRAIN_MS', 'NODE_ENV', 'NODE_OPTIONS', 'OPERATOR_PORT', 'PORT', 'ROLE', 'ROUTES'];
export const secrets = [
  'DEMO_PASSWORD',
  'HISTORY_TOKENS',
  'KAFKA_SASL_PASSWORD',
  'KEY_ENCRYPTION_KEY',
  'KEY_ENCRYPTION_KEY_PREVIOUS',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'MONGODB_URL',
  'OPERATOR_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'REDIS_URL',
  'SERVICE_TOKEN',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
];

/** Settings of docs/settings.md by name. */
export const settings = (description, value = {}, more = {}) => ({
  type: 'object',
  description,
  default: value,
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$', not: { enum: [...decided, ...secrets] } },
  additionalProperties: { type: ['string', 'integer', 'boolean'] },
  ...more,
});

/** Services by the paths that the gateway leads to them, in place of the setting ROUTES. */
export const routes = (description) => ({
  type: 'object',
  description,
  default: {},
  propertyNames: { pattern: '^/api/[a-z][a-z0-9_]*$' },
  additionalProperties: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['service'],
    properties: {
      service: { type: 'string', maxLength: 40, pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' },
      url: { type: 'string', pattern: '^https?://[^/,\\s@]+$' },
    },
  },
});

/** Destinations by name: { to: what NetworkPolicy takes in "to", ports: TCP ports }. */
export const egress = (description, value) => ({
  type: 'object',
  description,
  default: value,
  additionalProperties: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['to', 'ports'],
    properties: {
      to: { type: 'array', items: { type: 'object' } },
      ports: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } },
    },
  },
});

const tag = { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$|^$', not: { const: 'latest' } };

/** The image of one service. */
export const ownImage = group('Image of this service, where it differs from the others', {
  tag: text('Tag; empty = that of all services', '', tag),
  digest: text('Digest such as sha256:…, used instead of a tag', '', { pattern: '^sha256:[0-9a-f]{64}$|^$' }),
});

/** The image of all services. */
export const sharedImage = group('Images of all services: <registry>/lyceum-<service>:<tag>', {
  registry: text('Registry and path in front of the names; empty = none'),
  tag: text('Tag; empty = the version of the application that the chart is for', '', tag),
  pullPolicy: text('When nodes fetch them', 'IfNotPresent', { enum: ['Always', 'IfNotPresent', 'Never'] }),
  pullSecrets: list('Names of existing Secrets for the registry', { type: 'string' }),
});

const memory = (description, value) => text(description, value, { pattern: '^[1-9][0-9]*(Mi|Gi)$' });

/** What one pod may use. */
export const resources = (request, limit, cpu = '100m') =>
  group('What one pod asks for and may use', {
    cpu: text('Processor time that is kept for it', cpu, { pattern: '^[0-9]+(\\.[0-9]+|m)?$' }),
    memory: memory('Memory that is kept for it', request),
    memoryLimit: memory('Memory at which it is ended; the heap of Node gets 75 % of it', limit),
  });
