/** The bill of materials, CycloneDX 1.6: what npm writes as 1.5 is valid there too, and gets our own name. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.ts';

interface Sbom {
  $schema: string;
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; version: string } };
  components: { name: string; version: string; purl: string; hashes?: { content: string }[] }[];
}

export function makeSbom(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const options = { cwd: root, maxBuffer: 64 * 2 ** 20, encoding: 'utf8' } as const;
  const made = JSON.parse(execFileSync('npm', args, options)) as Sbom;
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
  const component = { ...made.metadata.component, name, type: 'application' };
  return {
    ...made,
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    specVersion: '1.6',
    metadata: { ...made.metadata, component },
  };
}
