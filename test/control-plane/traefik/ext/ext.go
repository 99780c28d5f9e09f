// Package ext stands in for the extension points of Traefik's dynamic configuration, which its module does not contain.
package ext

// HTTP extends the HTTP configuration.
type HTTP struct{}

// Router extends a router.
type Router struct{}

// RouterIng extends the router of an Ingress.
type RouterIng struct{}

// ToRouter returns the extension of the router.
func (RouterIng) ToRouter() Router { return Router{} }
