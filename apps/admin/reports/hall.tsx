/** A figure on the seat map: coloured seats with letters, and a legend with counts. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Figure } from '#server/domain/report/figure.ts';
import { getEvent } from '#server/contract/events.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { HallChart, type ChartProps, type ObjectColor } from '#apps/admin/kit/hall-chart.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { colourBy, type Coloured } from './hall-colors.ts';
import { paperWidth, usePrinting, useWidth } from './printing.ts';
import chartStyles from '#apps/admin/kit/hall-chart.module.css';
import styles from './hall.module.css';

type Chart = Parameters<NonNullable<ChartProps['onChartRendered']>>[0];
type ObjectLabel = NonNullable<ChartProps['objectLabel']>;

// They run inside the vendor's frame and see only their arguments.
const objectColor: ObjectColor = (object, _color, extra) =>
  extra.colors[object.label] || extra.rest;
const objectLabel: ObjectLabel = (object, label, extra) =>
  (object.objectType === 'Seat' && extra.marks[object.label]) || label;

/** Made once, because a new object would rebuild the chart. */
const nothingKnown = { colors: {}, marks: {}, rest: '#55637a' };

export function Hall({ figure, eventId }: { figure: Figure; eventId: string }) {
  const event = useEndpoint(
    getEvent,
    { params: { eventId } },
    { staleTime: 10 * 60_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
  );
  const [at, setAt] = useState(1);
  const coloured = useMemo(() => colourBy(figure, at), [figure, at]);
  const views = figure.columns.slice(1).map(({ label }, nth) => [String(nth + 1), label] as const);
  return (
    <div className={styles.hall}>
      {views.length > 1 && (
        <Segments
          legend="Colora i posti per"
          value={String(at)}
          options={views}
          onChange={(next) => setAt(Number(next))}
        />
      )}
      <Legend coloured={coloured} />
      <Loaded query={event}>{(data) => <ColouredChart of={data} coloured={coloured} />}</Loaded>
    </div>
  );
}

interface ColouredChartProps {
  of: Parameters<typeof HallChart>[0]['of'];
  coloured: Coloured;
}

function ColouredChart({ of, coloured }: ColouredChartProps) {
  const [chart, setChart] = useState<Chart | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const isPrinting = usePrinting();
  // A map that is resized draws itself again too late for the print, so paper scales it.
  const onPaper = isPrinting && width > 0 ? { width, zoom: paperWidth / width } : undefined;
  useLayoutEffect(() => {
    if (chart === null) return;
    const extraConfig = paint(coloured);
    // The chart may be gone or unable to change: no error.
    try {
      chart.changeConfig({ extraConfig }).catch(() => {});
    } catch {
      /* The chart cannot change. */
    }
  }, [chart, coloured]);
  return (
    <div ref={frame} style={onPaper}>
      <HallChart
        of={of}
        advice="Controlla la connessione e riprova. La tabella qui sotto funziona lo stesso."
        frame={{
          className: joinClasses(chartStyles.frame, styles.chart),
          label: 'Pianta della sala a colori',
        }}
        mode="static"
        session="none"
        extraConfig={nothingKnown}
        objectColor={objectColor}
        objectLabel={objectLabel}
        onChartRendered={setChart}
      />
    </div>
  );
}

function paint({ shades, bySeat }: Coloured) {
  // The colours are defined in the style sheet.
  const tokens = getComputedStyle(document.documentElement);
  const fills = shades.map(({ token }) => tokens.getPropertyValue(`--${token}`).trim());
  const colors: Record<string, string> = {};
  const marks: Record<string, string> = {};
  for (const [seat, nth] of bySeat) {
    colors[seat] = fills[nth] ?? '';
    marks[seat] = shades[nth]?.mark ?? '';
  }
  return { colors, marks, rest: nothingKnown.rest };
}

function Legend({ coloured }: { coloured: Coloured }) {
  return (
    <ul className={styles.legend} aria-label="Legenda della pianta">
      {coloured.shades.map(({ token, mark, word, seats }) => (
        <li key={word}>
          <span
            className={styles.mark}
            style={{ background: `var(--${token})` }}
            data-token={token}
            aria-hidden="true"
          >
            {mark}
          </span>
          {word} <b>{seats.toLocaleString('it-IT')}</b>
        </li>
      ))}
    </ul>
  );
}
