/** A request that a route of the login looks at. */
export interface RouteRequest {
  /** What stands behind the question mark of its URL, without that. */
  readonly query: string;
  /** The header Cookie. */
  readonly cookie?: string | undefined;
}

/** What a route answers. */
export interface RouteAnswer {
  readonly status: number;
  /** Several values of one name are several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** Route of the login. */
export interface LoginRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Never throws for what a request holds. */
  handle(request: RouteRequest): Promise<RouteAnswer>;
}
