/** The open designer: bar, tools, tree, canvas, panels, floors. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import {
  DesignerProvider,
  type CanvasView,
  type DesignerContext,
} from '#apps/chart/designer/state/context.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { Announcer } from './announcer.tsx';
import baseCss from './base.css?inline';
import { Foot } from './foot.tsx';
import layoutCss from './layout.css?inline';
import { panels } from './panels.ts';
import { Side } from './side.tsx';
import { Stage } from './stage.tsx';
import { registerStyle } from './style.ts';
import themeCss from './theme.css?inline';
import { ToolBar } from './tool-bar.tsx';
import { TopBar } from './top-bar.tsx';

for (const css of [themeCss, baseCss, layoutCss]) registerStyle(css);

interface DesignerLook {
  studio: Studio;
  config: () => DesignerConfig;
  onReady: () => void;
}

const newId = () => crypto.randomUUID();
const nothing = () => {};

export function Designer({ studio, config, onReady }: DesignerLook) {
  const canvas = useRef<CanvasView | null>(null);
  const [scale, setScale] = useState(1);
  const [panel, setPanel] = useState(panels[0]!.id);
  const [hasSide, setHasSide] = useState(true);
  const [hasTree, setHasTree] = useState(false);
  const showPanel = useCallback((id: string) => {
    setPanel(id);
    setHasSide(true);
  }, []);
  const context = useMemo<DesignerContext>(
    () => ({
      studio,
      config,
      canvas: () => canvas.current,
      newId,
      openDialog: nothing,
      showPanel,
    }),
    [studio, config, showPanel],
  );
  const ready = useRef(onReady);
  useEffect(() => ready.current(), []);
  const keepCanvas = useCallback((view: CanvasView | null) => {
    canvas.current = view;
  }, []);
  const readScale = useCallback(() => setScale(canvas.current?.scale ?? 1), []);
  return (
    <DesignerProvider value={context}>
      <div className="bsd-frame">
        <TopBar
          hasTree={hasTree}
          onTree={() => setHasTree(!hasTree)}
          hasSide={hasSide}
          onSide={() => setHasSide(!hasSide)}
        />
        <ToolBar />
        <Stage onMount={keepCanvas} onMenu={nothing} onView={readScale} />
        <Foot scale={scale} />
        {hasSide && <Side shown={panel} onShow={setPanel} onClose={() => setHasSide(false)} />}
      </div>
      <Announcer studio={studio} />
    </DesignerProvider>
  );
}
