/** The short name of a section, for where its whole name has no room. */
import type { Scene, SceneGroup } from './scene.ts';

const known = new WeakMap<Scene, Map<SceneGroup, string>>();

/**
 * The last words of a section's name, as many as distinguish it from all others: `103` of
 * `Settore 103`, `I ordine` of `Palchi I ordine`.
 */
export function shortName(scene: Scene, group: SceneGroup): string {
  let names = known.get(scene);
  if (!names) {
    const count = new Map<string, number>();
    for (const { name } of scene.groups)
      for (const end of endsOf(name)) count.set(end, (count.get(end) ?? 0) + 1);
    names = new Map(
      scene.groups.map((group) => [
        group,
        endsOf(group.name).find((end) => count.get(end) === 1) ?? group.name,
      ]),
    );
    known.set(scene, names);
  }
  return names.get(group) ?? group.name;
}

/** The ends of a name, the shortest first. */
function endsOf(name: string): string[] {
  const parts = name.split(' ');
  return parts.map((_, at) => parts.slice(parts.length - 1 - at).join(' '));
}
