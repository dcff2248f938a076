/**
 * The meaning of the overlay's colours while its panel is hidden, with a button that removes the
 * overlay.
 */
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Overlay } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';

const OVERLAYS: Record<Exclude<Overlay, 'none'>, { text: string; panel: string }> = {
  distance: { text: 'Distanza dal punto focale', panel: 'quality' },
  angle: { text: 'Angolo sul punto focale', panel: 'quality' },
  best: { text: 'Ordine dei posti migliori', panel: 'quality' },
  sight: { text: 'Visuale sopra chi sta davanti', panel: 'quality' },
  difference: { text: 'Posti cambiati', panel: 'differences' },
};

/** `panel` is the visible one; null when none is. */
export function OverlayNote({ panel }: { panel: string | null }) {
  const { studio, showPanel } = useDesigner();
  const overlay = useStudio(studio, (state) => state.overlay);
  if (overlay === 'none' || OVERLAYS[overlay].panel === panel) return null;
  const { text, panel: own } = OVERLAYS[overlay];
  return (
    <section className="bsd-overlay-note" aria-label="Colori sulla pianta">
      <span>Colori: {text}</span>
      <Button look="plain" onPress={() => showPanel(own)}>
        Legenda
      </Button>
      <Button onPress={() => studio.set({ overlay: 'none' })}>Togli i colori</Button>
    </section>
  );
}
