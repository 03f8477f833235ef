/** The part of Swagger UI 5 that `reference.js` uses. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void;
  getSystem(): {
    readonly authActions: { logout(schemes: readonly string[]): void };
    readonly layoutActions: { show(key: readonly string[], shown: boolean): void };
  };
}

/** An Immutable.js map. */
interface SwaggerUiMap {
  delete(key: string): SwaggerUiMap;
}

/** Operations by the name of their group: an ordered map of Immutable.js. */
interface SwaggerUiGroups {
  filter(includes: (group: unknown, name: string) => boolean): SwaggerUiGroups;
  keySeq(): { toArray(): readonly string[] };
}

/** The component props in use. */
interface SwaggerUiProps {
  readonly code: string;
  readonly description: string;
  readonly response: SwaggerUiMap;
  readonly text: unknown;
  readonly specSelectors: { loadingStatus(): string; taggedOperations(): SwaggerUiGroups };
  readonly getComponent: (name: string, isContainer?: boolean) => SwaggerUiComponent;
}

type SwaggerUiComponent = (props: SwaggerUiProps) => unknown;

interface SwaggerUiSystem {
  readonly React: {
    readonly Fragment: SwaggerUiComponent;
    createElement(type: string | SwaggerUiComponent, props: object | null, ...children: readonly unknown[]): unknown;
  };
}

/** Wraps an existing component. */
type SwaggerUiWrapper = (original: SwaggerUiComponent, system: SwaggerUiSystem) => SwaggerUiComponent;

type SwaggerUiPlugin = (system: SwaggerUiSystem) => {
  readonly components: Readonly<Record<string, SwaggerUiComponent>>;
  readonly fn: {
    /** Resolves the references in a part of the document. */
    resolveSubtree(
      document: unknown,
      path: readonly string[],
    ): Promise<{ readonly spec: unknown; readonly errors: readonly unknown[] }>;
  };
  readonly statePlugins: {
    readonly layout: { readonly wrapActions: { parseDeepLinkHash(): () => () => void } };
  };
  readonly wrapComponents: Readonly<Record<string, SwaggerUiWrapper>>;
};

declare function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): SwaggerUi;
