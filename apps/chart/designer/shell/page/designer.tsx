/** The open designer: bar, tools, tree, canvas, panels, floors. */
import { newId } from '#apps/chart/designer/state/new-id.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isEnabled, type DesignerConfig } from '#apps/chart/designer/config.ts';
import type { CanvasHandle } from '#apps/chart/designer/mount/mount.ts';
import type { Heat } from '#apps/chart/designer/canvas/paint/picture.ts';
import { DesignerProvider, type DesignerContext } from '#apps/chart/designer/context.ts';
import type { Kept } from '#apps/chart/designer/line/kept.ts';
import { KeptOffer } from '#apps/chart/designer/saving/kept-offer.tsx';
import { NewerNotice, RefusalDialog } from '#apps/chart/designer/saving/notices.tsx';
import type { Held } from '#apps/chart/designer/line/safe-mode.ts';
import type { Session } from '#apps/chart/designer/line/session.ts';
import { useSafeMode } from '#apps/chart/designer/saving/use-safe-mode.ts';
import type { Overlay, Studio } from '#apps/chart/designer/state/studio.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Refused } from '#server/drawing/diff/safe.ts';
import { Announcer } from './announcer.tsx';
import baseCss from '#apps/chart/designer/shell/base.css?inline';
import { DialogHost } from '#apps/chart/designer/shell/dialog-host.tsx';
import { EditNote } from './edit-note.tsx';
import { Foot } from './foot.tsx';
import layoutCss from './layout.css?inline';
import { Menu } from '#apps/chart/designer/kit/menu.tsx';
import { menuLines } from '#apps/chart/designer/acts/menu-lines.ts';
import { OverlayNote } from './overlay-note.tsx';
import { Side } from './side.tsx';
import { Stage } from './stage.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import themeCss from '#apps/chart/designer/shell/theme.css?inline';
import { ToolBar } from './tool-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { TreePane } from './tree-pane.tsx';
import { useAnnouncements } from './use-announcements.ts';
import { useKeys } from '#apps/chart/designer/acts/use-keys.ts';
import { useSmall } from './use-small.ts';

for (const css of [themeCss, baseCss, layoutCss]) registerStyle(css);

interface DesignerLook {
  studio: Studio;
  session: Session;
  config: () => DesignerConfig;
  /** A drawing that could not be sent last time. */
  kept: Kept | null;
  /** Whether there is room for the panels beside the canvas. */
  isWide: boolean;
  onReady: () => void;
}

/** Which panel and which dialog are open. */
function useParts(isWide: boolean) {
  const [panel, setPanel] = useState('properties');
  const [dialog, openDialog] = useState<string | null>(null);
  const [hasSide, setHasSide] = useState(isWide);
  const [hasTree, setHasTree] = useState(false);
  const showPanel = useCallback((id: string) => {
    setPanel(id);
    setHasSide(true);
  }, []);
  return { panel, showPanel, dialog, openDialog, hasSide, setHasSide, hasTree, setHasTree };
}

/** The messages over the canvas. */
function Notes({ panel, isSmall }: { panel: string | null; isSmall: boolean }) {
  return (
    <>
      <NewerNotice />
      <EditNote />
      <OverlayNote panel={panel} />
      {isSmall && (
        <p className="bsd-small bsd-note" data-tone="warn">
          Per disegnare serve uno schermo più grande: qui la pianta si può solo guardare.
        </p>
      )}
    </>
  );
}

/** A conflict opens its dialog once, by itself. */
function useConflict(session: Session, openDialog: (id: string) => void): void {
  useEffect(() => {
    let had = false;
    return session.subscribe(() => {
      const has = session.state.conflict !== null;
      if (has && !had) openDialog('conflict');
      had = has;
    });
  }, [session, openDialog]);
}

/**
 * A file that the page gave opens its dialog by itself: photos are traced, all else is imported.
 */
function useGivenFile(
  { studio, config }: Pick<DesignerLook, 'studio' | 'config'>,
  openDialog: (id: string) => void,
): () => File | null {
  const given = useRef<File | null>(null);
  useEffect(() => {
    const file = studio.state.readOnly ? null : (config().givenFile?.() ?? null);
    if (!file) return;
    given.current = file;
    const isTraced = /^(image\/(?!svg)|application\/pdf)/.test(file.type);
    openDialog(isTraced ? 'backdrop' : 'import');
  }, [studio, config, openDialog]);
  return useCallback(() => {
    const file = given.current;
    given.current = null;
    return file;
  }, []);
}

/** The canvas, and the panels' overlays on it. */
function useCanvas() {
  const canvas = useRef<CanvasHandle | null>(null);
  const heats = useRef(new Map<Overlay, (doc: Doc) => Heat | null>());
  const [scale, setScale] = useState(1);
  const stable = useMemo(
    () => ({
      canvas: () => canvas.current,
      keep: (handle: CanvasHandle | null) => {
        canvas.current = handle;
      },
      heat: (overlay: Overlay, doc: Doc) => heats.current.get(overlay)?.(doc) ?? null,
      setHeat: (overlay: Overlay, heat: ((doc: Doc) => Heat | null) | null) => {
        if (heat) heats.current.set(overlay, heat);
        else heats.current.delete(overlay);
        canvas.current?.refresh();
      },
      readScale: () => setScale(canvas.current?.scale ?? 1),
    }),
    [],
  );
  return { ...stable, scale };
}

function useContextMenu(context: DesignerContext) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const openMenu = useCallback(
    (where: { x: number; y: number }) => {
      if (isEnabled(context.config(), 'contextActions')) setAt(where);
    },
    [context],
  );
  const menu = at && (
    <Menu
      label="Che cosa fare"
      at={at}
      groups={[menuLines(context, ({ inContext }) => inContext === true)]}
      onClose={() => setAt(null)}
    />
  );
  return { menu, openMenu };
}

export function Designer({ studio, session, config, kept, isWide, onReady }: DesignerLook) {
  const { canvas, keep, heat, setHeat, readScale, scale } = useCanvas();
  const [refused, setRefused] = useState<Refused<Held>[]>([]);
  const { panel, showPanel, dialog, openDialog, ...parts } = useParts(isWide);
  const { hasSide, setHasSide, hasTree, setHasTree } = parts;
  useConflict(session, openDialog);
  const takeGiven = useGivenFile({ studio, config }, openDialog);
  useSafeMode({ studio, session, config, refuse: setRefused });
  const context = useMemo<DesignerContext>(
    () => ({ studio, session, config, canvas, setHeat, newId, openDialog, showPanel, takeGiven }),
    [studio, session, config, canvas, setHeat, openDialog, showPanel, takeGiven],
  );
  const ready = useRef(onReady);
  useEffect(() => ready.current(), []);
  useAnnouncements(studio);
  const press = useKeys(context);
  const frame = useRef<HTMLDivElement>(null);
  const isSmall = useSmall(frame, studio);
  const { menu, openMenu } = useContextMenu(context);
  return (
    <DesignerProvider value={context}>
      {/* Keys that no part has handled. */}
      <div
        ref={frame}
        className="bsd-frame"
        role="presentation"
        data-small={isSmall}
        onKeyDown={press}
      >
        <TopBar
          hasTree={hasTree}
          onTree={() => setHasTree(!hasTree)}
          hasSide={hasSide}
          onSide={() => setHasSide(!hasSide)}
        />
        <ToolBar />
        {hasTree && !isSmall && <TreePane onClose={() => setHasTree(false)} />}
        <Stage onMount={keep} onMenu={openMenu} onView={readScale} heat={heat}>
          <Notes panel={hasSide ? panel : null} isSmall={isSmall} />
        </Stage>
        <Foot scale={scale} />
        {hasSide && !isSmall && (
          <Side shown={panel} onShow={showPanel} onClose={() => setHasSide(false)} />
        )}
      </div>
      {menu}
      <DialogHost open={dialog} studio={studio} onClose={() => openDialog(null)} />
      {refused.length > 0 && <RefusalDialog refused={refused} onClose={() => setRefused([])} />}
      {kept && <KeptOffer kept={kept} />}
      <Announcer studio={studio} />
    </DesignerProvider>
  );
}
