import Type from 'typebox';
import { Value } from 'typebox/value';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { composeServices } from '../support/deploy/compose.ts';
import { yamlFiles } from '../support/deploy/image.ts';

const some = Type.String({ minLength: 1 });

const HardenedServiceSchema = Type.Object({
  image: Type.String({ pattern: ':(?!latest$)[^:]+$' }),
  cap_drop: Type.Tuple([Type.Literal('ALL')]),
  security_opt: Type.Tuple([Type.Literal('no-new-privileges:true')]),
  mem_limit: some,
  logging: Type.Object({ options: Type.Object({ 'max-size': some, 'max-file': some }) }),
});

/** Their images write configuration beside their programs when they start. */
const WRITABLE = ['postgres', 'local-postgres', 'temporal', 'temporal-ui'];

describe.each(Object.entries(composeServices()))('the container %s', (name, service) => {
  it('has no capabilities that it does not need, a bound of memory and of logs, and a named version', () => {
    expect(Value.Check(HardenedServiceSchema, service), JSON.stringify(service)).toBe(true);
  });

  it.skipIf(WRITABLE.includes(name))('cannot change its files', () => {
    expect(service).toMatchObject({ read_only: true });
  });
});

const HardenedPodSchema = Type.Object({
  automountServiceAccountToken: Type.Literal(false),
  securityContext: Type.Object({
    runAsNonRoot: Type.Literal(true),
    seccompProfile: Type.Object({ type: Type.Literal('RuntimeDefault') }),
  }),
  containers: Type.Array(
    Type.Object({
      resources: Type.Object({ limits: Type.Object({ memory: some }) }),
      securityContext: Type.Object({
        allowPrivilegeEscalation: Type.Literal(false),
        readOnlyRootFilesystem: Type.Literal(true),
        capabilities: Type.Object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
      }),
    }),
    { minItems: 1 },
  ),
  volumes: Type.Array(Type.Object({ emptyDir: Type.Optional(Type.Object({ sizeLimit: some })) })),
});

const ObjectSchema = Type.Object({ kind: Type.String(), metadata: Type.Object({ name: Type.String() }) });
const PodTemplateSchema = Type.Object({
  spec: Type.Object({
    template: Type.Object({
      metadata: Type.Object({ labels: Type.Record(Type.String(), Type.String()) }),
      spec: Type.Unknown(),
    }),
  }),
});

const objects = [...yamlFiles('deploy/kubernetes').values()]
  .flatMap((yaml) => parseAllDocuments(yaml).map((one) => one.toJS() as unknown))
  .flatMap((one) => (Value.Check(ObjectSchema, one) ? [one] : []));
const pods = objects.flatMap((one) => (Value.Check(PodTemplateSchema, one) ? [one] : []));
const ofKind = (kind: string) => objects.filter((one) => one.kind === kind);

it('three kinds of pods are deployed', () => {
  expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(['api', 'migrate', 'worker']);
});

describe.each(pods)('the pod $metadata.name', ({ kind, spec }) => {
  it('has no privileges, a root that it cannot change, and bounds of memory and of temporary files', () => {
    expect(Value.Check(HardenedPodSchema, spec.template.spec), JSON.stringify(spec.template.spec)).toBe(true);
  });

  it('has time to start, and is not taken away together with the others', () => {
    if (kind === 'Job') {
      expect(spec).toHaveProperty('activeDeadlineSeconds');
      return;
    }
    const selector = { matchLabels: spec.template.metadata.labels };
    expect(spec.template.spec).toHaveProperty('containers.0.startupProbe');
    expect(ofKind('PodDisruptionBudget')).toContainEqual(
      expect.objectContaining({ spec: { minAvailable: 1, selector } }),
    );
  });
});

it('nothing reaches a pod but what a policy names, and the cluster refuses pods with privileges', () => {
  expect(ofKind('NetworkPolicy')).toContainEqual(
    expect.objectContaining({ spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
  );
  expect(ofKind('Namespace')).toMatchObject([
    { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
  ]);
});
