/** Why the house keeps a seat back, and until when. */
import type { OfficeSeat } from './seats.ts';
import { Fact } from '#apps/admin/kit/page/facts.tsx';
import { releaseWords } from '#apps/admin/seats/kept/block-words.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';

export function BlockFacts({ block }: { block: NonNullable<OfficeSeat['block']> }) {
  return (
    <>
      <Fact name="Motivo">
        <Swatch color={block.color} /> {block.reason}
      </Fact>
      <Fact name="Scadenza">{releaseWords(block.release_at)}</Fact>
    </>
  );
}
